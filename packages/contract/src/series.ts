/** Series: compounds with a common core, as a table of the groups at two positions of it. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Theme } from './previews.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** A SAR table needs at least this many compounds. */
export const SERIES_COMPOUNDS_MIN = 3

/** Maximum compounds per SAR table. */
export const SERIES_COMPOUNDS_MAX = 2000
const SMILES_CHARACTERS_MAX = 2000

export const SeriesSmiles = z
  .string()
  .min(1)
  .max(SMILES_CHARACTERS_MAX)
  .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')

const Label = z.string().regex(/^R\d{1,3}$/, 'a position is named R1, R2 and so on')

const Place = z.number().int().min(0)

export const SeriesCore = z.object({
  smiles: z.string(),
  atoms: z.number().int().describe('Heavy atoms.'),
  compounds: z.number().int().describe('Number of compounds that have it.'),
})
export type SeriesCore = z.infer<typeof SeriesCore>

export const SeriesGroup = z.object({
  smiles: z.string().describe('With its attachment point, for example `F[*:1]`.'),
  compounds: z.number().int(),
  svg: z.string().nullable().describe('A drawing; null if the group cannot be drawn.'),
})
export type SeriesGroup = z.infer<typeof SeriesGroup>

const Side = z.object({ label: z.string(), groups: z.array(SeriesGroup) }).nullable()

export const SeriesTable = z.object({
  cores: z.array(SeriesCore).describe('Cores to choose from, the suggested one first.'),
  core: z
    .object({ smiles: z.string(), svg: z.string() })
    .nullable()
    .describe('The core used, with a drawing of its positions; null without a common core.'),
  positions: z
    .array(z.string())
    .describe('Labels of the positions at which the compounds differ, most varied first.'),
  rows: Side.describe(
    'Groups at one position, most common first, at most 30; null if the compounds differ at fewer than two.',
  ),
  columns: Side.describe('Null if the compounds do not differ.'),
  cells: z
    .array(z.object({ row: Place, column: Place, compounds: z.array(Place) }))
    .describe('`compounds`: indices in the request, from 0.'),
  gaps: z
    .array(z.object({ row: Place, column: Place, smiles: z.string() }))
    .describe('Combinations without a compound, with the molecule they represent.'),
  left_out: z
    .array(Place)
    .describe('Indices of compounds without this core, or with a group beyond the first 30.'),
})
export type SeriesTable = z.infer<typeof SeriesTable>

export const readSeriesTable = endpoint({
  method: 'POST',
  path: '/series/table',
  isComputed: true,
  auth: 'user',
  summary: 'Returns the SAR table of compounds with a common core: R-groups, cells and gaps. Free.',
  errors: ['too_many_requests'],
  body: z.object({
    compounds: z.array(SeriesSmiles).min(1).max(SERIES_COMPOUNDS_MAX),
    own: z
      .array(Place)
      .max(SERIES_COMPOUNDS_MAX)
      .optional()
      .describe(
        'Indices of compounds, such as the strongest on a target: their core is suggested first.',
      ),
    core: SeriesSmiles.optional().describe(
      'A core to use instead of the suggested one, as SMILES.',
    ),
    rows: Label.optional().describe('Positions along the sides of the table.'),
    columns: Label.optional(),
    theme: Theme.default('light'),
  }),
  bodyBytesMax: 8 * 1024 * 1024,
  answer: SeriesTable,
})

export const readSeriesProgress = endpoint({
  method: 'GET',
  path: '/series/progress',
  auth: 'user',
  summary:
    'Returns the progress of your running series request. To cancel that request, close its connection.',
  answer: z.object({
    running: z
      .object({ done: z.number().int(), total: z.number().int() })
      .nullable()
      .describe(
        'Steps; the total is an estimate. Null if nothing runs, or another server process runs it.',
      ),
  }),
})

export const readSeriesDrawing = endpoint({
  method: 'GET',
  path: '/series/drawing',
  auth: 'user',
  summary: 'Returns the structural formula of any SMILES.',
  errors: ['file_unreadable'],
  query: z.object({ smiles: SeriesSmiles, theme: Theme.default('light') }),
  answer: z.object({ image: z.string(), alt: z.string() }),
})
