/**
 * What to make or measure next: untested compounds of screens, ranked by predictions adjusted by the user's measured
 * values.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { PageNumber } from './paging.ts'
import { ScoreJudgement } from './series-score.ts'
import { SeriesSmiles } from './series.ts'
import { sharedScreenHeader } from './shared-screen.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** Minimum measured values on a target for suggestions. */
export const NEXT_VALUES_MIN = 3
/** Suggestions of one page. */
export const NEXT_SUGGESTIONS = 5
/** Maximum untested compounds ranked, those with the highest predicted values. */
export const NEXT_CANDIDATES_MAX = 2000
const SCREENS_MAX = 10

/** A measured value that supports a prediction. */
const RestsOn = z.object({
  compound: z.string(),
  pk: z.number(),
  similarity: z.number().describe('Tanimoto similarity to the suggested compound.'),
  effect: z
    .number()
    .describe('How much lower the predicted pKd would be without this value; negative: higher.'),
})

export const Suggestion = z.object({
  compound: z.string().describe('Name of the compound; empty for a gap of a SAR table.'),
  smiles: z.string(),
  predicted_kd: z
    .number()
    .describe(
      "pKd with the user's values, and its 95% interval; from the pKd after the pose if a screen placed it.",
    ),
  lower: z.number(),
  upper: z.number(),
  predicted_kd_without_own: z
    .number()
    .describe('pKd without them, after the pose if a screen placed it.'),
  chance: z
    .number()
    .describe(
      'Probability of a measured value above the goal, 0 to 1; rounded down to whole percent.',
    ),
  reason: z.string().describe('A sentence with the measured values behind the prediction.'),
  rests_on: z.array(RestsOn),
})
export type Suggestion = z.infer<typeof Suggestion>

export const NextCompounds = z.object({
  measured: z
    .number()
    .int()
    .describe(
      'Compounds with a measured value that the model has predicted too; suggestions need at least three.',
    ),
  waiting: z
    .number()
    .int()
    .describe('Measured values that the model has not predicted yet; ask again.'),
  best: z
    .object({ compound: z.string(), smiles: z.string(), pk: z.number() })
    .nullable()
    .describe('The strongest measured value.'),
  goal: z.number().nullable().describe('The pK to beat: yours, or the strongest measured value.'),
  uses_own_values: z
    .boolean()
    .describe(
      'False if your values make predictions worse, or you disabled them: then predictions without them are ranked.',
    ),
  other_score: ScoreJudgement.nullable().describe(
    "The column of another tool's scores selected for the target, as used in the ranking; null without one.",
  ),
  candidates: z.number().int().describe('Ranked compounds, those on other pages included.'),
  untested: z
    .number()
    .int()
    .describe(
      'Untested compounds with a prediction; more than `candidates` where there are more than 2,000.',
    ),
  suggestions: z.array(Suggestion),
})
export type NextCompounds = z.infer<typeof NextCompounds>

export const suggestNext = endpoint({
  method: 'POST',
  path: '/series/next',
  headers: sharedScreenHeader,
  auth: 'user',
  summary:
    'Suggests which untested compounds of your screens to make or measure next, five per page: predicted value, interval, probability of exceeding the goal, reason. Free.',
  errors: ['not_found', 'conflict', 'too_many_requests'],
  body: z.object({
    screens: z
      .array(z.uuid())
      .min(1)
      .max(SCREENS_MAX)
      .describe('Ids of screens; their follow-ups on the target are included.'),
    target: z
      .string()
      .min(1)
      .max(NAME_CHARACTERS_MAX)
      .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters'),
    chain: z
      .string()
      .max(10)
      .optional()
      .describe('Needed if a screen has several chains of the target.'),
    goal: z
      .number()
      .min(0)
      .max(15)
      .optional()
      .describe('The pK to beat; by default the strongest measured value.'),
    exclude: z
      .array(SeriesSmiles)
      .max(1000)
      .default([])
      .describe(
        "SMILES of compounds not to suggest, besides the target's list of excluded molecules.",
      ),
    page: PageNumber.default(1),
  }),
  bodyBytesMax: 3 * 1024 * 1024,
  answer: NextCompounds,
})
