/** All predictions of a screen as a compact matrix, whole or as its blocks end. Field names here are the wire's. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ScreenTarget } from './screens.ts'

const Count = z.number().int().min(0)
const call = { method: 'GET', auth: 'user' } as const

/** Two bytes per pair, compound by compound: pKd in hundredths, signed, little-endian. */
export const MATRIX_STEPS_PER_PKD = 100
/** Steps of a similarity from 0 to 1. */
export const MATRIX_STEPS_OF_SIMILARITY = 255

export const matrixFlags = {
  hasNumber: 1,
  isInDomain: 2,
  isLigandDriven: 4,
  isFailed: 8,
  /** `known_on_target`; pairs predicted before there were three states have `isInDomain` only. */
  isKnownOnTarget: 16,
  isKnownElsewhere: 32,
} as const

export const ScreenMatrix = z.object({
  targets: z.array(ScreenTarget),
  /** Names, in the order of the input. */
  compounds: z.array(z.string()),
  /** A dozen molecules, spread over the input: send them as `like` to draw its rows with the same orientation. */
  sample: z.array(z.string()).optional(),
  /** The best estimates, base64; `MATRIX_STEPS_PER_PKD`. 0 if there is no prediction. */
  best_kd: z.string(),
  /** Base64, one byte per pair; `matrixFlags`. */
  flags: z.string(),
  /** With `details`: the predicted molecule of each compound; empty if the compound cannot be read. */
  smiles: z.array(z.string()).optional(),
  /** With `details`: pairs with exact measured values of yours (`place`: index in `flags`), and their mean in pK. */
  measured: z.array(z.object({ place: Count, pk: z.number() })).optional(),
  /** With `details`, base64: two bytes per pair, the width of the interval in hundredths of a pKd. */
  interval_width: z.string().optional(),
  /** With `details`, base64: two signed bytes per pair, the lower end of the interval in hundredths of a pKd. */
  interval_lower: z.string().optional(),
  /** With `details`, base64: one byte per pair, similarities in 255ths. */
  compound_similarity: z.string().optional(),
  target_similarity: z.string().optional(),
  /**
   * With `details`, base64: one 32-bit float, little-endian, per compound and property in the order of
   * `compoundProperties`; NaN if there is no value.
   */
  properties: z.string().optional(),
})
export type ScreenMatrix = z.infer<typeof ScreenMatrix>

export const readScreenMatrix = endpoint({
  ...call,
  path: '/screens/:id/matrix',
  summary:
    'Returns all predictions of a screen as a compact matrix; `details=true` adds intervals and similarities.',
  query: z.object({ details: z.enum(['true', 'false']).optional() }),
  answer: ScreenMatrix,
})

/** Data of a `block` event: a finished part of the matrix. */
export const ScreenBlock = z.object({
  /** Index of its first compound in the input, from 0. */
  first_row: Count,
  rows: Count,
  best_kd: z.string(),
  flags: z.string(),
})
export type ScreenBlock = z.infer<typeof ScreenBlock>

export const watchScreen = endpoint({
  ...call,
  path: '/screens/:id/events',
  summary:
    'Streams progress as server-sent events: `screen` (status) and `block` (finished part of the matrix); ends with the screen. `Last-Event-ID` resumes a broken stream.',
  headers: { 'Last-Event-ID': 'Id of the last event received.' },
  answer: z.unknown(),
  mediaTypes: ['text/event-stream'],
})
