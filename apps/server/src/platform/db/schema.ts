/** The tables as TypeScript sees them. The migrations create them; a column changes in both places. */
import type { CompoundReport, PredictionResult, TargetReport } from '@pkdex/contract'
import type { Generated, JSONColumnType, Kysely, Transaction } from 'kysely'
import type {
  AdministratorKeysTable,
  AdministratorRequestsTable,
  AdministratorsTable,
  AuditLogTable,
  Computed,
} from './schema-administration.ts'

export type Database = Kysely<Tables>
/** Proof that the caller is inside a transaction. Use it for everything until the transaction ends. */
export type Trx = Transaction<Tables>

export type Tables = {
  users: UsersTable
  administrators: AdministratorsTable
  administrator_keys: AdministratorKeysTable
  administrator_requests: AdministratorRequestsTable
  audit_log: AuditLogTable
  keys: KeysTable
  key_pages: KeyPagesTable
  used_nonces: { nonce: string; expires_at: Date }
  sign_in_failures: { bucket: string; failed_at: Date }
  server_secrets: { name: string; value: string }
  files: FilesTable
  targets: TargetsTable
  compounds: CompoundsTable
  tasks: TasksTable
  ledger: LedgerTable
  previews: PreviewsTable
  screens: ScreensTable
  screen_targets: ScreenTargetsTable
  screen_blocks: ScreenBlocksTable
  measurements: MeasurementsTable
}

/** `issuer` and `subject` are null until the person signs in for the first time. */
type UsersTable = {
  id: Generated<string>
  issuer: string | null
  subject: string | null
  email: string
  name: string
  google_id: string | null
  credits: number
  is_active: Generated<boolean>
  created_at: Date
  /** By keys that have been deleted since; those that are there know better. */
  last_seen_at: Generated<Date | null>
  email_key: Computed<string>
  name_key: Computed<string>
  /** E-mail and name in lower case, for the search of the user list. */
  search_text: Computed<string>
}

/**
 * Keys of users, as SHA-256 only. `closes_at` is set while no page holds the session any more; it is
 * dead after that moment unless a page claims it again.
 */
export type KeysTable = {
  id: Generated<string>
  user_id: string
  kind: 'session' | 'programmatic'
  prefix: string
  hash: Buffer
  created_at: Date
  last_used_at: Date
  idle_expires_at: Date | null
  expires_at: Date | null
  closes_at: Date | null
  revoked_at: Date | null
  name: Generated<string>
  calls_per_day: Generated<number | null>
  /** The day, in UTC, that `calls_today` counts. */
  calls_on: Generated<string | null>
  calls_today: Generated<number>
}

/** Browser pages that hold a session; `closed_at` is set when the page went away. */
type KeyPagesTable = {
  key_id: string
  page_id: string
  claimed_at: Date
  closed_at: Date | null
}

export type FilesTable = {
  id: Generated<string>
  user_id: string
  file_type: 'protein_pdb' | 'drug_smiles'
  filename: string
  sha256: Buffer
  size_bytes: number
  /** gzip of the bytes as they were uploaded. */
  content: Buffer
  uploaded_at: Date
}

/** `seq` is the order of lists. `segments`: of every protein chain, the observed sequence cut at its gaps. */
type TargetsTable = {
  seq: Generated<number>
  id: Generated<string>
  user_id: string
  file_id: string
  name: string
  /** The chain that predictions use; a key of `segments`. */
  chain: string
  segments: JSONColumnType<Record<string, string[]>>
  report: JSONColumnType<TargetReport>
  /** Of the chain that predictions use. */
  residues: Computed<number>
  /** SHA-256 of the file, for what depends on its content only. */
  content_hash: Buffer
  created_at: Date
}

type CompoundsTable = {
  seq: Generated<number>
  id: Generated<string>
  user_id: string
  file_id: string
  name: string
  /** As uploaded. */
  smiles: string
  /** As predicted on and drawn. */
  standard_smiles: string
  report: JSONColumnType<CompoundReport>
  /** What the user's own columns say of it, in their order. */
  own: JSONColumnType<[column: string, value: string][]> | null
  /** As the report has it, in g/mol. */
  mass: Computed<number>
  /** SHA-256 of `standard_smiles`. */
  content_hash: Buffer
  created_at: Date
}

/** `target_chain` is the chain at the time of asking: the target's choice may change later. What was deleted since is null. */
export type TasksTable = {
  id: Generated<string>
  user_id: string
  target_id: string | null
  compound_id: string | null
  target_chain: string
  status: 'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE'
  result: JSONColumnType<PredictionResult> | null
  message: string | null
  model_version: string | null
  credits_charged: number
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

export type LedgerReason =
  | 'first sign-in'
  | 'prediction'
  | 'refund'
  | 'administrator'
  | 'screen'
  | 'screen refund'

/** Append-only: a trigger refuses everything but inserts. Outlives its user, hence no foreign key. */
type LedgerTable = {
  id: Computed<number>
  user_id: string
  delta: number
  balance_after: number
  reason: LedgerReason
  /** The task, or the screen, that it is about. */
  task_id: string | null
  /** Who caused it: `user`, `server`, or the administrator's e-mail. */
  actor: string
  /** What the administrator said about it. */
  note: Generated<string>
  created_at: Date
}

type PreviewsTable = {
  content_hash: Buffer
  kind: 'protein' | 'molecule'
  theme: 'light' | 'dark'
  media_type: 'image/webp' | 'image/svg+xml'
  alt: string
  body: Buffer
  created_at: Date
}

/** `paid`: pairs that were paid for; the others were known, or are the same as one of these. */
export type ScreensTable = {
  id: Generated<string>
  user_id: string
  idempotency_key: string | null
  /** SHA-256 of what was asked for. */
  request_hash: Buffer
  status: 'QUEUED' | 'RUNNING' | 'DONE' | 'CANCELLED' | 'FAILED'
  total: number
  done: number
  known: number
  /** Rows of the input. */
  compounds: number
  paid: number
  credits_per_pair: number
  /** Less, once it has ended, what came back. */
  credits_charged: number
  model_version: string
  message: string | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

/** As they were when the screen started. */
type ScreenTargetsTable = {
  screen_id: string
  place: number
  name: string
  chain: string
  segments: JSONColumnType<string[]>
  /** SHA-256 of the segments. */
  key: Buffer
}

/** Some rows of the input with all targets. */
export type ScreenBlocksTable = {
  screen_id: string
  block: number
  job_id: string
  user_id: string
  status: 'WAITING' | 'DONE' | 'FAILED' | 'CANCELLED'
  first_row: number
  rows: number
  /** Rows that can be predicted. */
  usable: number
  paid: number
  /** Of the paid pairs, those that got their number. */
  predicted: Generated<number>
  /** Blocks of all users are worked in the order of their turns. */
  turn: number
  /** How many pairs of the screen were done with this block. */
  done_after: number | null
  /** The rows, gzipped. */
  compounds: Buffer
  /** Eight bytes a row. */
  compound_keys: Buffer
  cells: Buffer | null
}

/** One value a target and compound. `is_predicted`: the model was asked, of the chain that is used now. */
export type MeasurementsTable = {
  id: Generated<string>
  user_id: string
  target_id: string
  /** As it was named. */
  compound: string
  /** Standard SMILES. */
  smiles: string
  type: 'Kd' | 'Ki' | 'IC50'
  /** As it was given. */
  value: string
  pk: number
  /** Which side of `pk` the truth lies on: at most, at least; null where it is the value. */
  bound: 'upper' | 'lower' | null
  /** Folded, 32 bits a word, the lowest byte first. */
  fingerprint: Buffer
  is_predicted: Generated<boolean>
  /** What these are of: null as long as the model was not asked; `predicted` where it had no number. */
  model_version: string | null
  chain: string | null
  predicted: number | null
  half_width: number | null
  created_at: Date
}
