/** The tables as TypeScript sees them. The migrations create them; a column changes in both places. */
import type { CompoundReport, OwnAlert, TargetReport } from '@pkdex/contract'
import type { ColumnType, Generated, JSONColumnType, Kysely, Transaction } from 'kysely'
import type {
  AdministratorKeysTable,
  AdministratorRequestsTable,
  AdministratorsTable,
  AuditLogTable,
  Computed,
} from './schema-administration.ts'

import type {
  BlocksTable,
  OrderRowsTable,
  PairsTable,
  SequencesTable,
  OrdersTable,
  OrderTargetsTable,
  ReadingsTable,
  StructureBlocksTable,
  StructureRunsTable,
  TasksView,
} from './schema-orders.ts'

export type { BlocksTable, OrdersTable, PairsTable, StructureRunsTable }

export type Database = Kysely<Tables>
/** Proof that the caller is inside a transaction. Use it for every query until the transaction ends. */
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
  /** One-time invitation links; of the code only its SHA-256. */
  invitations: { user_id: string; code_hash: Buffer; expires_at: Date }
  sign_in_failures: { bucket: string; failed_at: Date }
  /** Credits left by deleted accounts, by a keyed hash of the identity. */
  deleted_people: { identity_hash: Buffer; credits: number }
  server_secrets: { name: string; value: string }
  files: FilesTable
  targets: TargetsTable
  compounds: CompoundsTable
  tasks: TasksView
  ledger: LedgerTable
  previews: PreviewsTable
  orders: OrdersTable
  order_targets: OrderTargetsTable
  order_rows: OrderRowsTable
  pairs: PairsTable
  sequences: SequencesTable
  blocks: BlocksTable
  readings: ReadingsTable
  structure_runs: StructureRunsTable
  structure_blocks: StructureBlocksTable
  measurements: MeasurementsTable
  listed_molecules: ListedMoleculesTable
  own_ligands: OwnLigandsTable
}

/** `issuer` and `subject` are null until the first sign-in. */
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
  /** The last use of keys that were deleted since; existing keys have a later time. */
  last_seen_at: Generated<Date | null>
  /** The user's own structural alerts. */
  alert_patterns: ColumnType<OwnAlert[], string | undefined, string>
  email_key: Computed<string>
  name_key: Computed<string>
  /** Email and name in lower case, for the search of the user list. */
  search_text: Computed<string>
}

/**
 * User keys, as SHA-256 only. `closes_at` is set while no page keeps the session alive; after that moment the session is
 * expired unless a page claims it again.
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
  /** The UTC day that `calls_today` counts. */
  calls_on: Generated<string | null>
  calls_today: Generated<number>
}

/** Browser pages that keep a session alive; `closed_at` is set when the page closes. */
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
  /** The uploaded bytes, gzipped. */
  content: Buffer
  uploaded_at: Date
}

/** `seq` is the order of lists. `segments`: per protein chain, the observed sequence cut at its gaps. */
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
  /** The length of the chain that predictions use. */
  residues: Computed<number>
  /** SHA-256 of the file. */
  content_hash: Buffer
  /** Null: own values are used unless they make predictions worse. */
  use_own_values: Generated<boolean | null>
  /** The user's column with another tool's scores, and which end of it is the stronger one. */
  score_column: Generated<string | null>
  score_direction: Generated<'higher' | 'lower' | null>
  /** Given by the user. */
  make_list_name: Generated<string | null>
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
  /** As predicted and drawn. */
  standard_smiles: string
  report: JSONColumnType<CompoundReport>
  /** The user's own columns, in input order. */
  own: JSONColumnType<[column: string, value: string][]> | null
  /** From the report, in g/mol. */
  mass: Computed<number>
  /** SHA-256 of `standard_smiles`. */
  content_hash: Buffer
  /** `CompoundRecord`, packed; null until it is computed. */
  properties: Generated<Buffer | null>
  /** On the user's shortlist. */
  is_starred: Generated<boolean>
  created_at: Date
}

export type LedgerReason =
  | 'first sign-in'
  | 'prediction'
  | 'refund'
  | 'administrator'
  | 'screen'
  | 'screen refund'

/** Append-only: a trigger rejects everything but inserts. Outlives its user, hence no foreign key. */
type LedgerTable = {
  id: Computed<number>
  user_id: string
  delta: number
  balance_after: number
  reason: LedgerReason
  /** The task or screen it belongs to. */
  task_id: string | null
  /** Who caused it: `user`, `server`, or the administrator's email. */
  actor: string
  /** The administrator's note. */
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

/** Molecules that a user wants made for a target, or does not want suggested. */
type ListedMoleculesTable = {
  id: Generated<number>
  user_id: string
  target_id: string
  list: 'make' | 'excluded'
  smiles: string
  /** What it was predicted at when it was added, in pKd; null if it had no prediction. */
  predicted: Generated<number | null>
  lower: Generated<number | null>
  upper: Generated<number | null>
  created_at: Date
}

/** A user's own reference ligand for a target. */
type OwnLigandsTable = {
  target_id: string
  user_id: string
  /** With coordinates in the frame of the structure. */
  molfile: string
  smiles: string
  heavy_atoms: number
  /** The ligand of the structure whose coordinates it has; null if it has its own. */
  ligand_of: string | null
  created_at: Date
}

/** Any number of values per target and compound. `is_predicted`: the model has predicted the pair for the current chain. */
export type MeasurementsTable = {
  id: Generated<string>
  user_id: string
  /** Null once the target is deleted; the next target with the same `sequence_key` takes over the value. */
  target_id: string | null
  sequence_key: Generated<Buffer | null>
  /** As the user named it. */
  compound: string
  /** Standard SMILES. */
  smiles: string
  type: 'Kd' | 'Ki' | 'IC50'
  /** As entered. */
  value: string
  pk: number
  /** The true value is at most or at least `pk`; null for an exact value. */
  bound: 'upper' | 'lower' | null
  /** Folded, 32 bits per word, lowest byte first. */
  fingerprint: Buffer
  is_predicted: Generated<boolean>
  /** The order that predicts it; null before it is ordered and once it is predicted. */
  order_id: Generated<string | null>
  /** Null until the pair was predicted; `predicted` is null if the model returned no prediction. */
  model_version: string | null
  chain: string | null
  predicted: number | null
  half_width: number | null
  created_at: Date
}
