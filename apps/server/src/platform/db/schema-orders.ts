/** The tables of orders as TypeScript sees them, beside those of schema.ts. */
import type { DomainState, PredictionResult } from '@pkdex/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { Computed } from './schema-administration.ts'

/**
 * A view: orders of one pair as the API returns them. `target_chain` is the chain at the time of the request, because
 * the target's chain may change later. Deleted items are null.
 */
export type TasksView = {
  id: Computed<string>
  user_id: Computed<string>
  target_id: Computed<string | null>
  compound_id: Computed<string | null>
  target_chain: Computed<string>
  status: Computed<'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE'>
  result: Computed<PredictionResult | null>
  message: Computed<string | null>
  model_version: Computed<string | null>
  credits_charged: Computed<number>
  created_at: Computed<Date>
  started_at: Computed<Date | null>
  finished_at: Computed<Date | null>
  is_by_product: Computed<boolean>
}

/** One order of a user and its cost. `paid`: distinct pairs that it was charged for. */
export type OrdersTable = {
  id: Generated<string>
  /** Orders in the order in which they were placed; stands for `id` in the tables with many rows. */
  number: Generated<number>
  user_id: string
  /** `removed`: deleted by its user, but for pairs that are left. */
  kind: 'single' | 'call' | 'screen' | 'measurement' | 'removed'
  /** The screen whose series the molecules of a call belong to; deleted with it. */
  screen_id: Generated<string | null>
  /** Suggested at the start; the user may change or remove it. */
  name: Generated<string | null>
  /** The user's note on it. */
  note: Generated<string>
  idempotency_key: string | null
  /** SHA-256 of the request. */
  request_hash: Buffer | null
  status: 'QUEUED' | 'RUNNING' | 'DONE' | 'CANCELLED' | 'FAILED'
  /** Target and compound of a single prediction; null once deleted. */
  target_id: Generated<string | null>
  compound_id: Generated<string | null>
  targets: number
  /** Rows of the input. */
  compounds: number
  /** Pairs that can be predicted, the number finished, and the number of those without a prediction. */
  total: number
  done: number
  failed: Generated<number>
  known: number
  paid: number
  credits_per_pair: number
  /** Reduced by refunds once the order has ended. */
  credits_charged: number
  /** Storage used by its blocks, for the user's quota. */
  bytes: number
  /** The model versions of all its predictions, for display, separated by commas. */
  model_version: string
  message: string | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  /** A free task that an earlier version created when a cell of a screen was opened: not listed. */
  is_by_product: Generated<boolean>
}

/** Targets as they were at the time of the order. */
export type OrderTargetsTable = {
  order_id: string
  place: number
  user_id: string
  name: string
  chain: string
  segments: JSONColumnType<string[]>
  /** `sequenceKey` of the segments. */
  key: Buffer
  /** Stands for `key` in `pairs`. */
  sequence_id: number
}

/** The chain sequences that a user has ordered predictions on. */
export type SequencesTable = {
  id: Generated<number>
  user_id: string
  key: Buffer
}

/** The rows of the input, counted from 0. */
export type OrderRowsTable = {
  order_number: number
  row: number
  block: number
  name: string
  smiles: string
  /** What the model gets; null if the row is skipped, or erased. */
  standard: string | null
  /** Why the row is skipped. */
  reason: string | null
  /** `compoundKey`; null if the row is skipped. */
  compound_key: Buffer | null
}

/** Pairs of an order that have a prediction; written once, when they are predicted. */
export type PairsTable = {
  order_number: number
  row: number
  /** Index of the target. */
  place: number
  sequence_id: number
  compound_key: Buffer
  model_version: string
  /** In millionths of a pKd, as are the ends of the interval. */
  predicted: number
  lower: number
  upper: number
  domain_state: DomainState | 'inside'
  is_ligand_driven: boolean
  /** In units of 1/255. */
  compound_similarity: number
  target_similarity: number
  /** The order that was charged for the pair: one per user, pair and model version. */
  is_payer: boolean
}

/** Some rows of the input with all targets: one job. */
export type BlocksTable = {
  order_id: string
  block: number
  job_id: string
  user_id: string
  status: 'WAITING' | 'DONE' | 'FAILED' | 'CANCELLED'
  first_row: number
  rows: number
  /** Rows that can be predicted. */
  usable: number
  /** A small block, which never waits behind large ones. */
  is_small: boolean
  /** Number of its pairs that were predicted. */
  predicted: Generated<number>
  /** Blocks of all users are processed in the order of their turns. */
  turn: number
  /** Pairs of the order that finished with this block. */
  done_after: number | null
}

/** Full results of single predictions. */
export type ReadingsTable = {
  user_id: string
  sequence_key: Buffer
  compound_key: Buffer
  model_version: string
  result: JSONColumnType<PredictionResult>
  predicted_at: Date
}

/** The poses of a screen: waits for its predictions, then places its compounds on the ligand of each structure. */
export type StructureRunsTable = {
  order_id: string
  user_id: string
  status: 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED'
  /** Pairs, and the number finished. */
  total: number
  done: Generated<number>
  /** pKd per unit of each feature, copied when the screen was started. */
  weights: JSONColumnType<{ pose: number; similarity: number; difference?: number | undefined }>
  /** Molecule files of the user's own ligands, by index of the target, copied when the screen was started. */
  own_ligands: JSONColumnType<Record<string, string>>
  /** Standard SMILES that every compound of the screen is compared with; empty without a weight of `difference`. */
  anchors: JSONColumnType<string[]>
  message: Generated<string | null>
  /** The request that started the screen, for the log. */
  request_id: string
}

/** Some rows of the input on one target: one job. */
export type StructureBlocksTable = {
  order_id: string
  /** Index of the target in the order. */
  place: number
  block: number
  job_id: string
  user_id: string
  /** Ligand that the compounds are placed on. */
  reference: string
  status: 'WAITING' | 'DONE' | 'FAILED' | 'CANCELLED'
  turn: Generated<number>
  first_row: number
  rows: number
  usable: number
  /** Compounds that have a pose, and the sums of their features, from which the means follow. */
  placed: Generated<number>
  pose_sum: Generated<number>
  similarity_sum: Generated<number>
  /** Null if the run does not use differences. */
  difference_sum: Generated<number | null>
  /** Per row: features or a reason, gzipped. */
  results: Generated<Buffer | null>
  /** Coordinates of the placed rows, gzipped. */
  poses: Generated<Buffer | null>
}
