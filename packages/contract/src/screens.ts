/** Screens: many targets by many compounds, charged and predicted together. Field names here are the wire's. */
import { z } from 'zod'
import { AlertList } from './alerts.ts'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { PoseReference } from './poses.ts'
import { PageNumber, TOTAL_COUNT_HEADER } from './paging.ts'
import { ScreenRow } from './result-rows.ts'
import { ScreenFilter, ScreenResultsQuery } from './screen-rows.ts'
import { SharedBy } from './sharing.ts'
import { Tag, Tags } from './tags.ts'
import { Moment, NO_CONTROL_CHARACTERS } from './text.ts'

/** Maximum pairs per screen. */
export const SCREEN_PAIRS_MAX = 500_000

/** Maximum compounds per screen that are placed in a structure. */
export const STRUCTURE_COMPOUNDS_MAX = 5000

/** Maximum names: as many as a user can have. */
const TARGETS_MAX = 2000
const COMPOUNDS_MAX = 50_000

const Count = z.number().int().min(0)
/** Longer than any name; unknown names are repeated in the response. */
const AskedName = z
  .string()
  .min(1)
  .max(5 * NAME_CHARACTERS_MAX)

/** A target by name, on the chain that predictions use, or on another of its chains. */
const AskedTarget = z.union([
  AskedName,
  z.strictObject({
    name: AskedName,
    chain: z.string().min(1).max(4).optional(),
    reference: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe(
        'With `structure`: the `id` of the ligand to place on; without it the suggested one.',
      ),
  }),
])

export const ScreenRequest = z.object({
  targets: z.array(AskedTarget).min(1).max(TARGETS_MAX),
  compounds: z
    .union([z.array(AskedName).min(1).max(COMPOUNDS_MAX), z.literal('all')])
    .describe('Names, in the order of the results; `all`: every compound of yours, oldest first.'),
  structure: z
    .boolean()
    .optional()
    .describe(
      'Places the compounds on the ligand of each structure after the predictions, and adds `structure_adjusted`. No extra credits.',
    ),
  leave_out: z
    .array(AlertList)
    .max(3)
    .optional()
    .describe(
      'Compounds with an alert of these lists keep their row and get a reason instead of a prediction.',
    ),
})
export type ScreenRequest = z.infer<typeof ScreenRequest>

/** Requested items that cannot be predicted. */
export const UnusableRow = z.object({
  kind: z.enum(['target', 'compound']),
  name: z.string(),
  reason: z.string(),
})
export type UnusableRow = z.infer<typeof UnusableRow>

export const ScreenQuote = z.object({
  targets: Count.describe('Number of usable items.'),
  compounds: Count,
  total: Count.describe(
    'Pairs: each usable compound, as often as it was named, with each usable target.',
  ),
  known: Count.describe(
    'Free pairs: already predicted by this model for you, listed twice, or a stereoisomer of another compound.',
  ),
  duplicates: Count.describe(
    'Compounds with the structure of another in this request: their pairs are free.',
  ),
  stereoisomers: Count.describe(
    'Compounds that differ from another only in stereochemistry, which the model ignores: they get the same number, and their pairs are free.',
  ),
  to_predict: Count.describe('Pairs that are charged.'),
  credits_needed: z.number(),
  credits_left: z.number(),
  unusable: z.array(UnusableRow).describe('The first ones; `unusable_count` counts all.'),
  unusable_count: Count,
  /** Compounds with a structural alert, including those skipped: in total, and per list. */
  flagged: z
    .object({
      count: Count,
      by_list: z.object({ PAINS: Count, Brenk: Count, own: Count }),
      unchecked: Count.describe('Compounds not checked yet; ask again.'),
    })
    .optional(),
  left_out: Count.optional().describe('Compounds skipped because of `leave_out`.'),
  model_version: z.string(),
  /** With `structure`: pairs that get a pose, and about how long that takes after the predictions. */
  structure: z
    .object({
      poses: Count,
      seconds: Count,
      /** The ligand of each target, and those to choose from. */
      ligands: z.array(
        z.object({
          target: z.string(),
          chain: z.string(),
          reference: z.string(),
          references: z.array(PoseReference),
        }),
      ),
      without_ligand: z
        .array(z.object({ target: z.string(), chain: z.string() }))
        .describe('Targets whose compounds get no pose.'),
    })
    .optional(),
})
export type ScreenQuote = z.infer<typeof ScreenQuote>

export const ScreenStatus = z.enum(['QUEUED', 'RUNNING', 'DONE', 'CANCELLED', 'FAILED'])
export type ScreenStatus = z.infer<typeof ScreenStatus>

export const StructureStatus = z.enum(['QUEUED', 'RUNNING', 'DONE', 'FAILED'])
export type StructureStatus = z.infer<typeof StructureStatus>

export const ScreenTarget = z.object({ name: z.string(), chain: z.string() })
export type ScreenTarget = z.infer<typeof ScreenTarget>

export const Screen = z.object({
  id: z.string(),
  follow_up_of: z
    .string()
    .nullable()
    .describe(
      'Set for molecules predicted later for the series of a screen: the id of that screen.',
    ),
  shared_by: SharedBy.nullable().describe('Null for your own.'),
  is_shared: z
    .boolean()
    .optional()
    .describe('Whether others may read it; left out in a list of screens.'),
  comments: Count,
  commented_at: Moment.nullable().describe(
    'When a comment was last added, edited or deleted; null if never.',
  ),
  name: z
    .string()
    .nullable()
    .describe('Suggested from files and targets when a screen starts; null without one.'),
  note: z.string().describe('Your note on it.'),
  tags: z.array(z.string()).describe('Your tags on it.'),
  status: ScreenStatus,
  total: Count.describe('Pairs, and the number finished, with or without a prediction.'),
  done: Count,
  known: Count,
  credits_charged: z.number().describe('The cost; reduced by refunds once it has finished.'),
  targets: z.array(ScreenTarget).describe('Only the first few in a list of screens.'),
  target_count: Count,
  compounds: Count.describe('Rows of the input, including those without a prediction.'),
  model_version: z
    .string()
    .describe('Several are separated by commas, if the server was upgraded while the screen ran.'),
  created_at: Moment,
  finished_at: Moment.nullable(),
  message: z.string().nullable().describe('A note on how the screen ended.'),
  structure_status: StructureStatus.nullable().describe(
    'Progress of the poses; null without `structure`. They start when the predictions have finished.',
  ),
  structure_total: Count.nullable().describe(
    'Pairs to place, and the number finished, with or without a pose.',
  ),
  structure_done: Count.nullable(),
  structure_message: z.string().nullable().describe('A note on how they ended.'),
})
export type Screen = z.infer<typeof Screen>

/** Maximum body size: room for the longest list of names. */
const bodyBytesMax = 8 * 1024 * 1024

export const quoteScreen = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/screens/quote',
  summary:
    'Quotes a screen: pairs, known pairs, credits, skipped rows, compounds with structural alerts. Free.',
  body: ScreenRequest,
  bodyBytesMax,
  answer: ScreenQuote,
})

export const startScreen = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/screens',
  summary:
    'Starts a screen and charges all pairs not yet known. With an Idempotency-Key, a repeated request returns the same screen.',
  headers: { 'Idempotency-Key': 'Your own unique key for this request, at most 200 characters.' },
  errors: ['out_of_credits', 'conflict', 'unavailable'],
  body: ScreenRequest,
  bodyBytesMax,
  answer: Screen,
})

export const listScreens = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/screens',
  summary: 'Lists your screens, newest first; total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of screens.' },
  query: z.object({
    page: PageNumber.default(1),
    page_size: z.coerce.number().int().min(1).max(200).default(20),
    kind: z
      .enum(['screen', 'series', 'call'])
      .default('screen')
      .describe(
        '`screen`: screens and their follow-ups. `series`: screens with enough compounds for a series. `call`: what `POST /predict` stored without a screen; it counts towards your storage and is deleted like a screen.',
      ),
    follow_up_of: z.uuid().optional().describe('Only the follow-ups of this screen.'),
    tag: Tag.optional().describe(
      'Only those with this tag; with `kind=series` also those with a target whose make list has it.',
    ),
  }),
  answer: z.object({ screens: z.array(Screen) }),
})

export const readScreen = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/screens/:id',
  summary: 'Returns the status of a screen.',
  answer: Screen,
})

export const SCREEN_NOTE_CHARACTERS_MAX = 1000

const OneLine = z.string().regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')

export const ScreenNames = z
  .object({
    name: OneLine.max(NAME_CHARACTERS_MAX),
    note: OneLine.max(SCREEN_NOTE_CHARACTERS_MAX),
    tags: Tags,
  })
  .partial()
  .refine((names) => Object.keys(names).length > 0, 'Give a name, a note or tags.')
export type ScreenNames = z.infer<typeof ScreenNames>

export const renameScreen = endpoint({
  auth: 'user',
  method: 'PATCH',
  path: '/screens/:id',
  summary: 'Changes the name, the note or the tags of a screen; an empty one removes it.',
  body: ScreenNames,
  answer: Screen,
})

export const cancelScreen = endpoint({
  auth: 'user',
  method: 'DELETE',
  path: '/screens/:id',
  summary:
    'Cancels a screen. Finished pairs and poses are kept, the rest is refunded. Has no effect on a finished screen. With `forever=true`, deletes the screen, its follow-ups and their predictions; these pairs then cost credits again.',
  errors: ['conflict'],
  query: z.object({ forever: z.enum(['true', 'false']).optional() }),
  answer: Screen,
})

export const readScreenResults = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/screens/:id/results',
  summary:
    'Lists the pairs of a screen, sorted, filtered and paged; with `Accept: application/x-ndjson`, all of them, one per line.',
  headers: { Accept: '`application/x-ndjson`: all matching rows, one JSON object per line.' },
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of matching rows.' },
  query: ScreenResultsQuery,
  answer: z.object({ rows: z.array(ScreenRow) }),
  mediaTypes: ['application/json', 'application/x-ndjson'],
})

const download = { auth: 'user', method: 'GET', query: ScreenFilter, answer: z.unknown() } as const

export const downloadScreen = endpoint({
  ...download,
  query: ScreenFilter.extend({
    excel: z
      .enum(['true'])
      .optional()
      .describe('The file begins with a byte order mark, by which Excel recognises UTF-8.'),
  }),
  path: '/screens/:id/results.csv',
  summary:
    'Exports every input row for every target as CSV, in input order, with a reason where there is no prediction; then the follow-ups. Filters apply.',
  mediaTypes: ['text/csv'],
})

/** Maximum rows of a workbook with pictures. */
export const PICTURE_ROWS_MAX = 1000

export const downloadScreenXlsx = endpoint({
  ...download,
  query: ScreenFilter.extend({
    ...ScreenResultsQuery.pick({ sort: true, order: true, by: true, column: true }).shape,
    columns: z
      .string()
      .max(20_000)
      .regex(/^[a-z_]+(@\d+)?(,[a-z_]+(@\d+)?)*$/, 'must be names of columns, with commas between')
      .optional()
      .describe(
        'Only these columns, in this order, and rows as `sort`, `order`, `by` and `column` say; without follow-ups. With `by=compound` a row has the pair with the highest estimate, and `best_kd@2` is that of the second target.',
      ),
    pictures: z
      .enum(['true'])
      .optional()
      .describe(`Each row begins with its structure; for at most ${PICTURE_ROWS_MAX} rows.`),
  }),
  path: '/screens/:id/results.xlsx',
  summary:
    'Exports the same table as an Excel workbook; with `columns` as the page shows it, with `pictures` with structures.',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
})

export const downloadScreenSdf = endpoint({
  ...download,
  path: '/screens/:id/results.sdf',
  summary:
    'Exports the same rows as SDF: 2D structure plus the CSV columns as data fields. Rows without a valid structure are skipped.',
  mediaTypes: ['chemical/x-mdl-sdfile'],
})

/** What the rows of a screen can be downloaded as. The server's writer of each is in `predictions/screen-exports.ts`. */
export const screenExports = [
  { format: 'CSV', extension: 'csv', endpoint: downloadScreen },
  { format: 'XLSX', extension: 'xlsx', endpoint: downloadScreenXlsx },
  { format: 'SDF', extension: 'sdf', endpoint: downloadScreenSdf },
] as const

export type ScreenExport = (typeof screenExports)[number]

export const downloadScreenPoses = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/screens/:id/poses.sdf',
  summary:
    'Exports the poses of a screen (with `structure`) as SDF with 3D coordinates, of one target or of all. Models, not experiments.',
  errors: ['not_found'],
  query: z.object({
    target: AskedName.optional().describe('Default: all.'),
    chain: z.string().min(1).max(4).optional(),
  }),
  answer: z.unknown(),
  mediaTypes: ['chemical/x-mdl-sdfile'],
})
