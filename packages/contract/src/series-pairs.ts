/** Matched pairs of a series: compounds that differ in one group, and what the change did to pK, here and in the training data. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { Theme } from './previews.ts'
import { SERIES_COMPOUNDS_MAX, SeriesSmiles } from './series.ts'
import { sharedScreenHeader } from './shared-screen.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** Maximum changes per response, those with most measured pairs first. */
export const CHANGES_MAX = 100

/** Maximum pairs listed per change, measured ones first; its numbers cover all. */
export const PAIRS_OF_CHANGE_MAX = 200

const Place = z.number().int().min(0)

const TrainingChange = z.object({
  pairs: z.number().int(),
  mean: z.number().describe('Mean change in pK, and its standard deviation over pairs.'),
  spread: z.number(),
})

export const GroupChange = z.object({
  from: z.string().describe('With the attachment point as a star, for example `[H]*` and `*F`.'),
  to: z.string(),
  pairs: z
    .array(z.object({ from: Place, to: Place, change: z.number().nullable() }))
    .describe(
      'Compounds by index in the request; the change in pK is null unless both have a value.',
    ),
  pair_count: z.number().int().describe('Pairs found, those beyond the first 200 included.'),
  measured: z
    .number()
    .int()
    .describe('Pairs with a change in pK; the next four are null without one.'),
  mean: z.number().nullable(),
  spread: z.number().nullable(),
  lower: z
    .number()
    .nullable()
    .describe(
      '95% interval of the mean; for one pair, from the usual spread in the training data.',
    ),
  upper: z.number().nullable(),
  gaps: z
    .number()
    .int()
    .nullable()
    .describe(
      'Molecules that the change would add to the series; null for a hydrogen, whose positions are not counted.',
    ),
  training: TrainingChange.extend({ assays: z.number().int() })
    .nullable()
    .describe(
      'The same change in the training data, within one assay each: on all targets, and on this one.',
    ),
  training_on_target: TrainingChange.nullable(),
})
export type GroupChange = z.infer<typeof GroupChange>

export const SeriesPairs = z.object({
  changes: z.array(GroupChange),
  total: z.number().int().describe('Changes found, those beyond the first 100 included.'),
  training_target: z
    .string()
    .nullable()
    .describe('The training target that is this protein; null if there is none.'),
  drawings: z
    .record(z.string(), z.string())
    .describe('Drawings of the groups, by their SMILES; a group that cannot be drawn has none.'),
})
export type SeriesPairs = z.infer<typeof SeriesPairs>

export const findSeriesPairs = endpoint({
  method: 'POST',
  path: '/series/pairs',
  headers: sharedScreenHeader,
  auth: 'user',
  summary:
    'Returns matched pairs: for each change of a group, the pairs, the mean change in pK, and the same change in the training data. Free.',
  errors: ['not_found', 'too_many_requests', 'file_unreadable'],
  body: z.object({
    /** `pk`: a measured value. */
    compounds: z
      .array(z.object({ smiles: SeriesSmiles, pk: z.number().min(-5).max(20).optional() }))
      .min(1)
      .max(SERIES_COMPOUNDS_MAX),
    /** Name of a target of yours, for the training data on this protein. */
    target: z
      .string()
      .min(1)
      .max(NAME_CHARACTERS_MAX)
      .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')
      .optional(),
    chain: z.string().max(10).optional().describe('Default: the chain that predictions use.'),
    theme: Theme.default('light'),
  }),
  bodyBytesMax: 8 * 1024 * 1024,
  answer: SeriesPairs,
})
