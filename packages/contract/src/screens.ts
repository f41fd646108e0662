/** Screens: many targets by many compounds, paid and predicted as one. Field names here are the wire's. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { NAME_CHARACTERS_MAX } from './files.ts'
import { TOTAL_COUNT_HEADER } from './paging.ts'
import { ScreenFilter, ScreenResultsQuery, ScreenRow } from './screen-rows.ts'

/** Pairs of one screen, at most. */
export const SCREEN_PAIRS_MAX = 500_000

/** Names at most: as many as a user can keep. */
const TARGETS_MAX = 2000
const COMPOUNDS_MAX = 50_000

const Count = z.number().int().min(0)
/** Longer than any name can be; what is not found is repeated in the answer. */
const AskedName = z
  .string()
  .min(1)
  .max(5 * NAME_CHARACTERS_MAX)

/** A target by name, on the chain that predictions use, or on another of its chains. */
const AskedTarget = z.union([
  AskedName,
  z.object({ name: AskedName, chain: z.string().min(1).max(4).optional() }),
])

export const ScreenRequest = z.object({
  targets: z.array(AskedTarget).min(1).max(TARGETS_MAX),
  /** Names, in the order that the results keep; `all`: every compound of yours, oldest first. */
  compounds: z.union([z.array(AskedName).min(1).max(COMPOUNDS_MAX), z.literal('all')]),
})
export type ScreenRequest = z.infer<typeof ScreenRequest>

/** What was asked for and cannot be predicted. */
export const UnusableRow = z.object({
  kind: z.enum(['target', 'compound']),
  name: z.string(),
  reason: z.string(),
})
export type UnusableRow = z.infer<typeof UnusableRow>

export const ScreenQuote = z.object({
  /** How many of each can be used. */
  targets: Count,
  compounds: Count,
  /** Pairs: each usable compound, as often as it was named, with each usable target. */
  total: Count,
  /** Pairs that cost nothing: predicted for you before by this model, or named twice. */
  known: Count,
  /** Pairs that are paid for. */
  to_predict: Count,
  credits_needed: z.number(),
  credits_left: z.number(),
  /** The first of them; `unusable_count` counts all. */
  unusable: z.array(UnusableRow),
  unusable_count: Count,
  model_version: z.string(),
})
export type ScreenQuote = z.infer<typeof ScreenQuote>

export const ScreenStatus = z.enum(['QUEUED', 'RUNNING', 'DONE', 'CANCELLED', 'FAILED'])
export type ScreenStatus = z.infer<typeof ScreenStatus>

export const ScreenTarget = z.object({ name: z.string(), chain: z.string() })
export type ScreenTarget = z.infer<typeof ScreenTarget>

export const Screen = z.object({
  id: z.string(),
  status: ScreenStatus,
  /** Pairs, and how many of them have come to an end, with a number or without. */
  total: Count,
  done: Count,
  known: Count,
  /** What it costs; less, once it has ended, what came back. */
  credits_charged: z.number(),
  targets: z.array(ScreenTarget),
  /** Rows of the input, those without a number included. */
  compounds: Count,
  model_version: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  /** What a person should know of its end. */
  message: z.string().nullable(),
})
export type Screen = z.infer<typeof Screen>

/** Room for the longest list of names. */
const bodyBytesMax = 8 * 1024 * 1024

const call = { auth: 'user', query: z.object({}), body: z.undefined() } as const

export const quoteScreen = endpoint({
  ...call,
  method: 'POST',
  path: '/screens/quote',
  summary: 'What a screen would come to: pairs, those known, credits, rows that cannot be used.',
  body: ScreenRequest,
  bodyBytesMax,
  answer: ScreenQuote,
})

export const startScreen = endpoint({
  ...call,
  method: 'POST',
  path: '/screens',
  summary:
    'Takes the credits for all pairs that are not known and predicts them. With an Idempotency-Key, asking again answers the same screen.',
  headers: { 'Idempotency-Key': 'Your own name for this order, at most 200 characters.' },
  errors: ['out_of_credits', 'conflict', 'unavailable'],
  body: ScreenRequest,
  bodyBytesMax,
  answer: Screen,
})

export const listScreens = endpoint({
  ...call,
  method: 'GET',
  path: '/screens',
  summary: 'Your screens, newest first; the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many screens there are, on all pages.' },
  query: z.object({
    page: PageNumber.default(1),
    page_size: z.coerce.number().int().min(1).max(200).default(20),
  }),
  answer: z.object({ screens: z.array(Screen) }),
})

export const readScreen = endpoint({
  ...call,
  method: 'GET',
  path: '/screens/:id',
  summary: 'The state of a screen.',
  answer: Screen,
})

export const cancelScreen = endpoint({
  ...call,
  method: 'DELETE',
  path: '/screens/:id',
  summary:
    'Cancels a screen: what is predicted stays, what is not is refunded. One that has ended stays as it is.',
  answer: Screen,
})

export const readScreenResults = endpoint({
  ...call,
  method: 'GET',
  path: '/screens/:id/results',
  summary:
    'The pairs of a screen, sorted and filtered, a page at a time; with `Accept: application/x-ndjson` all of them, a line each.',
  headers: { Accept: '`application/x-ndjson`: all rows that match, a JSON object a line.' },
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many rows match, on all pages.' },
  query: ScreenResultsQuery,
  answer: z.object({ rows: z.array(ScreenRow) }),
  mediaTypes: ['application/json', 'application/x-ndjson'],
})

const download = { ...call, method: 'GET', query: ScreenFilter, answer: z.unknown() } as const

export const downloadScreen = endpoint({
  ...download,
  path: '/screens/:id/results.csv',
  summary:
    'Every row of the input with every target, in the order of the input; the reason where there is no number. With filters only what matches.',
  mediaTypes: ['text/csv'],
})

export const downloadScreenXlsx = endpoint({
  ...download,
  path: '/screens/:id/results.xlsx',
  summary:
    'The same rows and columns as the CSV as a workbook: numbers as numbers, text as text, nothing run as a formula.',
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
})

export const downloadScreenSdf = endpoint({
  ...download,
  path: '/screens/:id/results.sdf',
  summary:
    'The same rows as records of an SDF, with the molecule that was predicted on in 2D and the columns of the CSV as data fields, those without a value left out. A row that has no molecule is left out.',
  mediaTypes: ['chemical/x-mdl-sdfile'],
})

/** Two bytes a pair, compound by compound: pKd in hundredths, signed, the lower byte first. */
export const MATRIX_STEPS_PER_PKD = 100
/** Steps of a similarity from 0 to 1. */
export const MATRIX_STEPS_OF_SIMILARITY = 255

export const matrixFlags = { hasNumber: 1, isInDomain: 2, isLigandDriven: 4, isFailed: 8 } as const

export const ScreenMatrix = z.object({
  targets: z.array(ScreenTarget),
  /** Names, in the order of the input. */
  compounds: z.array(z.string()),
  /** Base64; `MATRIX_STEPS_PER_PKD`. 0 where there is no number. */
  predicted_kd: z.string(),
  /** Base64, a byte a pair; `matrixFlags`. */
  flags: z.string(),
  /** With `details`, base64: two bytes a pair, the width of the interval in hundredths of a pKd. */
  interval_width: z.string().optional(),
  /** With `details`, base64: a byte a pair, similarities in 255ths. */
  compound_similarity: z.string().optional(),
  target_similarity: z.string().optional(),
})
export type ScreenMatrix = z.infer<typeof ScreenMatrix>

export const readScreenMatrix = endpoint({
  ...call,
  method: 'GET',
  path: '/screens/:id/matrix',
  summary:
    'All numbers of a screen as one compact matrix, for a heat map; with `details=true` the widths of the intervals and the similarities as well.',
  query: z.object({ details: z.enum(['true', 'false']).optional() }),
  answer: ScreenMatrix,
})

/** Data of an event named `block`: a piece of the matrix that has come to its end. */
export const ScreenBlock = z.object({
  /** Place of its first compound in the input, from 0. */
  first_row: Count,
  rows: Count,
  predicted_kd: z.string(),
  flags: z.string(),
})
export type ScreenBlock = z.infer<typeof ScreenBlock>

export const watchScreen = endpoint({
  ...call,
  method: 'GET',
  path: '/screens/:id/events',
  summary:
    'Server-sent events: `screen` with its state, `block` with each piece of the matrix that is done; ends with the screen. `Last-Event-ID` goes on where a connection broke.',
  headers: { 'Last-Event-ID': 'Id of the last event that arrived.' },
  answer: z.unknown(),
  mediaTypes: ['text/event-stream'],
})
