/**
 * New molecules of a series, without duplicates, molecules with alerts, or outside property windows, before anything is
 * charged.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { CompoundProperties, compoundProperties } from './result-rows.ts'
import { SERIES_COMPOUNDS_MAX, SeriesSmiles } from './series.ts'
import { sharedScreenHeader } from './shared-screen.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** Maximum molecules per response. */
export const PRODUCTS_MAX = 5000
/** Maximum changes applied. */
export const APPLIED_CHANGES_MAX = 50

/** Either end may be missing; both are inclusive. */
const Window = z.object({ min: z.number().optional(), max: z.number().optional() })

export const AlertCatalogue = z.enum(['PAINS', 'Brenk', 'own'])

const Place = z.number().int().min(0)

/** A linker has two attachment points and would have to be cut twice. */
const ChangedGroup = SeriesSmiles.refine(
  (smiles) => smiles.split('*').length === 2,
  'a change replaces a group with one attachment point “*”, for example “[H]*” by “*F”; linkers, with two, cannot be changed',
)

const Product = CompoundProperties.extend({
  smiles: z.string(),
  alerts: z.array(z.string()).describe('Structural alerts, for example `Brenk nitro_group`.'),
  from: Place.nullable().describe(
    'By changes: the changed compound, and the index of the change in `changes`.',
  ),
  change: Place.nullable(),
})

export const SeriesProducts = z.object({
  core: z
    .string()
    .nullable()
    .describe('By groups: the core whose positions were filled; null without a common core.'),
  changes: z
    .array(z.object({ from: z.string(), to: z.string(), lower: z.number() }))
    .describe(
      'By changes: those applied, with their sort key: the lower end of the 95% interval of the mean change.',
    ),
  combinations: z.number().int().describe('Molecules tried.'),
  skipped_groups: z
    .number()
    .int()
    .describe(
      'By groups: the rarest groups, skipped because all of them would make more than 5,000 combinations.',
    ),
  skipped_changes: z
    .number()
    .int()
    .describe(
      'By changes: changes not applied to every compound, because there were 5,000 new molecules before.',
    ),
  known: z.number().int().describe('Those that are compounds of the series.'),
  impossible: z
    .number()
    .int()
    .describe(
      'Those that are not valid molecules, for example a double-bonded group on a core with a single bond there.',
    ),
  repeated: z.number().int().describe('Those that another combination or change had made before.'),
  outside: z.number().int().describe('New molecules outside a property window.'),
  flagged: z
    .number()
    .int()
    .describe('New molecules inside the windows, but with an excluded alert.'),
  products: z.array(Product),
})
export type SeriesProducts = z.infer<typeof SeriesProducts>

export const enumerateSeries = endpoint({
  method: 'POST',
  path: '/series/products',
  headers: sharedScreenHeader,
  auth: 'user',
  summary:
    'Enumerates new compounds of a series: its R-groups recombined, or the changes of a group that helped most applied to each compound, within property limits and without unwanted alerts. Free.',
  errors: ['not_found', 'too_many_requests', 'file_unreadable'],
  body: z.object({
    /** SMILES, or with a measured value, by which changes are chosen. */
    compounds: z
      .array(
        z.union([
          SeriesSmiles,
          z.object({ smiles: SeriesSmiles, pk: z.number().min(-5).max(20).optional() }),
        ]),
      )
      .min(1)
      .max(SERIES_COMPOUNDS_MAX),
    by: z
      .enum(['groups', 'changes'])
      .default('groups')
      .describe(
        '`changes`: changes of one group whose mean change in pK is reliably positive, in your values or in the training data.',
      ),
    core: SeriesSmiles.optional().describe(
      'A core to use instead of the suggested one, as SMILES.',
    ),
    change: z
      .object({ from: ChangedGroup, to: ChangedGroup })
      .optional()
      .describe(
        'A change to apply instead of the most helpful ones, for example from `[H]*` to `*F`.',
      ),
    /** Name of a target of yours, for the training data on this protein. */
    target: z
      .string()
      .min(1)
      .max(NAME_CHARACTERS_MAX)
      .regex(NO_CONTROL_CHARACTERS, 'it contains a character that names cannot contain')
      .optional(),
    chain: z.string().max(10).optional(),
    windows: z.partialRecord(z.enum(compoundProperties), Window).default({}),
    leave_out: z
      .array(AlertCatalogue)
      .default([])
      .describe(
        'Lists of structural alerts, `own` for your own patterns: molecules that match one of them are excluded.',
      ),
  }),
  bodyBytesMax: 8 * 1024 * 1024,
  answer: SeriesProducts,
})
