/* oxlint-disable max-lines */
/** Written by `npm run table-types` from the migrated database and table-notes.ts: do not edit. */
import type { CompoundReport, OwnAlert, PredictionResult, TargetReport } from '@pkdex/contract'
import type { ColumnType, Generated } from 'kysely'

/** Computed by the database. */
type Computed<T> = ColumnType<T, never, never>
/** Written as text. */
type Json<T> = ColumnType<T, string, string>
type GeneratedJson<T> = ColumnType<T, string | undefined, string>

export type Tables = {
  /** Administrator credentials, as SHA-256 only. A session is its token and the keys created with it. */
  administrator_keys: {
    id: Generated<string>
    administrator_id: string
    session_id: string
    kind: 'token' | 'key'
    hash: Buffer
    created_at: Date
    expires_at: Date
    session_expires_at: Date
  }
  /** Idempotent requests: if a key comes again, the stored `answer` is returned and nothing is done. */
  administrator_requests: {
    key: string
    /** SHA-256 of the request. */
    request_hash: Buffer
    /** Email. */
    administrator: string
    at: Date
    answer: Json<Record<string, unknown>>
  }
  administrators: {
    id: Generated<string>
    email: string
    password_hash: string
    created_at: Date
  }
  /** Append-only: a trigger rejects everything but inserts. `before` and `after` contain no secrets. */
  audit_log: {
    id: Computed<number>
    at: Date
    /** Email of the administrator; `server` for console actions, `user` for actions on one's own account. */
    administrator: string
    action: string
    subject: string
    before: Json<Record<string, unknown>> | null
    after: Json<Record<string, unknown>> | null
  }
  /** Some rows of the input, with all targets or for poses with one: one job. */
  blocks: {
    order_id: string
    block: number
    job_id: string
    user_id: string
    status: 'WAITING' | 'DONE' | 'FAILED' | 'CANCELLED'
    first_row: number
    rows: number
    /** Rows that can be predicted. */
    usable: number
    /** Number of its pairs that were predicted. */
    predicted: Generated<number>
    /** Blocks of all users are processed in the order of their turns. */
    turn: number
    /** Pairs of the order that finished with this block. */
    done_after: number | null
    /** Small blocks never wait behind large ones, nor either behind poses. */
    lane: Generated<'small' | 'large' | 'pose'>
    /** Index of the target; null unless for poses. */
    place: number | null
  }
  /** Comments on a screen, or on a compound (`row`) or pair (`row` and `place`) in it. They outlive their author. */
  comments: {
    id: Computed<number>
    order_id: string
    author_id: string | null
    row: number | null
    /** Index of the target. */
    place: number | null
    text: string
    created_at: Date
    edited_at: Date | null
  }
  /** Packed inputs of the model for a compound. */
  compound_features: {
    compound_id: string
    features: Buffer
  }
  compounds: {
    seq: Computed<number>
    id: Generated<string>
    user_id: string
    file_id: string
    name: string
    /** As uploaded. */
    smiles: string
    /** As predicted and drawn. */
    standard_smiles: string
    report: Json<CompoundReport>
    /** SHA-256 of `standard_smiles`. */
    content_hash: Buffer
    created_at: Date
    /** From the report, in g/mol. */
    mass: Computed<number>
    /** The user's own columns, in input order. */
    own: Json<[column: string, value: string][]> | null
    /** On the user's shortlist. */
    is_starred: Generated<boolean>
    /** `CompoundRecord`, packed; null until it is computed. */
    properties: Buffer | null
    /** `compoundKey` without stereochemistry; null if it has none. */
    flat_key: Buffer | null
  }
  /** Credits left by deleted accounts, by a keyed hash of the identity. */
  deleted_people: {
    identity_hash: Buffer
    credits: number
  }
  files: {
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
  /** Accounts at sign-in providers, each of which signs in as a user. */
  identities: {
    id: Generated<string>
    user_id: string
    issuer: string
    subject: string
    /** As the provider said at the last sign-in. */
    email: string
    /** The provider vouches that the address is theirs. */
    is_email_trusted: boolean
    created_at: Date
    /** Its owner removed it: it neither signs in nor is linked again by email. */
    removed_at: Date | null
  }
  /** One-time invitation links; of the code only its SHA-256. */
  invitations: {
    user_id: string
    code_hash: Buffer
    expires_at: Date
  }
  /** Browser pages that keep a session alive; `closed_at` is set when the page closes. */
  key_pages: {
    key_id: string
    page_id: string
    claimed_at: Date
    closed_at: Date | null
  }
  /** User keys, as SHA-256 only. */
  keys: {
    id: Generated<string>
    user_id: string
    kind: 'session' | 'programmatic'
    prefix: string
    hash: Buffer
    created_at: Date
    last_used_at: Date
    idle_expires_at: Date | null
    expires_at: Date | null
    /** Set while no page keeps the session alive; after that moment it is expired unless a page claims it again. */
    closes_at: Date | null
    revoked_at: Date | null
    name: Generated<string>
    calls_per_day: number | null
    /** The UTC day that `calls_today` counts. */
    calls_on: string | null
    calls_today: Generated<number>
  }
  /** Append-only: a trigger rejects everything but inserts. Outlives its user, hence no foreign key. */
  ledger: {
    id: Computed<number>
    user_id: string
    delta: number
    balance_after: number
    reason: 'first sign-in' | 'prediction' | 'refund' | 'administrator' | 'screen' | 'screen refund'
    /** The task or screen it belongs to. */
    task_id: string | null
    /** Who caused it: `user`, `server`, or the administrator's email. */
    actor: string
    created_at: Date
    /** The administrator's note. */
    note: Generated<string>
  }
  /** Who opened a screen that is shared by link. */
  link_viewers: {
    share_id: string
    user_id: string
    opened_at: Date
  }
  /** Molecules that a user wants made for a target, or does not want suggested. */
  listed_molecules: {
    id: Computed<number>
    user_id: string
    target_id: string
    list: 'make' | 'excluded'
    smiles: string
    created_at: Date
    /** What it was predicted at when it was added, in pKd; null if it had no prediction. */
    predicted: number | null
    lower: number | null
    upper: number | null
  }
  /** Any number of values per target and compound. */
  measurements: {
    id: Generated<string>
    user_id: string
    /** Null once the target is deleted; the next target with the same `sequence_key` takes over the value. */
    target_id: string | null
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
    /** The model has predicted the pair for the current chain. */
    is_predicted: Generated<boolean>
    /** Null until the pair was predicted; `predicted` is null if the model returned no prediction. */
    model_version: string | null
    chain: string | null
    predicted: number | null
    half_width: number | null
    created_at: Date
    sequence_key: Buffer | null
    /** The order that predicts it; null before it is ordered and once it is predicted. */
    order_id: string | null
  }
  /** What a user has not seen of a screen. */
  news: {
    user_id: string
    order_id: string
    /** The first unseen comment, if any; it may have been deleted. */
    comments_from: number | null
    has_finished: Generated<boolean>
  }
  /** The rows of the input, counted from 0. */
  order_rows: {
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
    /** `compoundKey` without stereochemistry, by which its pairs are paid for. */
    flat_key: Buffer | null
  }
  /** Targets as they were at the time of the order. */
  order_targets: {
    order_id: string
    place: number
    name: string
    chain: string
    segments: Json<string[]>
    /** `sequenceKey` of the segments. */
    key: Buffer
    user_id: string
    /** Stands for `key` in `pairs`. */
    sequence_id: number
    /** The ligand that compounds are placed on; null without poses. */
    reference: string | null
    /** Molecule file of the user's own ligand, if that is the reference, as it was at the time of the order. */
    own_ligand: string | null
    /** Once all poses have ended: their number, beside the mean of each of their features. */
    placed: number | null
    pose_mean: number | null
    similarity_mean: number | null
    difference_mean: number | null
  }
  /** One order of a user and its cost. */
  orders: {
    id: Generated<string>
    user_id: string
    idempotency_key: string | null
    /** SHA-256 of the request. */
    request_hash: Buffer | null
    status: 'QUEUED' | 'RUNNING' | 'DONE' | 'CANCELLED' | 'FAILED'
    /** Pairs that can be predicted; `done` of them are finished. */
    total: number
    done: number
    known: number
    /** Rows of the input. */
    compounds: number
    /** Distinct pairs that it was charged for. */
    paid: number
    credits_per_pair: number
    /** Reduced by refunds once the order has ended. */
    credits_charged: number
    /** The model versions of all its predictions, for display, separated by commas. */
    model_version: string
    message: string | null
    created_at: Date
    started_at: Date | null
    finished_at: Date | null
    /** `removed`: deleted by its user, but for pairs that are left. */
    kind: 'single' | 'call' | 'screen' | 'measurement' | 'removed'
    /** Suggested at the start; the user may change or remove it. */
    name: string | null
    /** Target of a single prediction; null once deleted, like `compound_id`. */
    target_id: string | null
    compound_id: string | null
    targets: Generated<number>
    /** Finished pairs without a prediction. */
    failed: Generated<number>
    /** Storage used by its blocks, for the user's quota. */
    bytes: Generated<number>
    /** A free task that an earlier version created when a cell of a screen was opened: not listed. */
    is_by_product: Generated<boolean>
    /** The screen whose series the molecules of a call belong to; deleted with it. */
    screen_id: string | null
    /** Orders in the order in which they were placed; stands for `id` in the tables with many rows. */
    number: Generated<number>
    /** The user's note on it. */
    note: Generated<string>
    /** Null if its compounds are not placed: pKd per unit of each feature, standard SMILES that every compound is compared with, and the request, for the log. */
    pose_settings: Json<{ weights: { pose: number; similarity: number; difference?: number | undefined }; anchors: string[]; request_id: string }> | null
    comments: Generated<number>
    commented_at: Date | null
    /** The user's tags on it. */
    tags: Generated<string[]>
  }
  /** A user's own reference ligand for a target. */
  own_ligands: {
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
  /** Pairs of an order that have a prediction; written once, when they are predicted. */
  pairs: {
    order_number: number
    row: number
    sequence_id: number
    /** In millionths of a pKd, as are the ends of the interval. */
    predicted: number
    lower: number
    upper: number
    /** `inside`: predicted before three states were distinguished. */
    domain_state: 'outside' | 'inside' | 'known_on_target' | 'known_on_other_targets'
    /** Index of the target. */
    place: number
    /** In units of 1/255, as is `target_similarity`. */
    compound_similarity: number
    target_similarity: number
    is_ligand_driven: boolean
    /** The order was charged for the pair: one per user, pair and model version. */
    is_payer: boolean
    compound_key: Buffer
    model_version: string
  }
  /** Poses of a screen: a row per compound and target, with the features that move its prediction, or the reason why not. */
  poses: {
    order_number: number
    row: number
    /** Index of the target. */
    place: number
    /** Better than the reference ligand by this much, in kcal/mol. */
    pose: number | null
    similarity: number | null
    /** From other compounds of the screen, in pK. */
    difference: number | null
    keeps_stereo: boolean | null
    /** Coordinates of the atoms, in Å. */
    x: number[] | null
    reason: string | null
  }
  previews: {
    content_hash: Buffer
    kind: 'protein' | 'molecule'
    theme: 'light' | 'dark'
    media_type: 'image/webp' | 'image/svg+xml'
    alt: string
    body: Buffer
    created_at: Date
  }
  /** Full results of single predictions. */
  readings: {
    user_id: string
    sequence_key: Buffer
    compound_key: Buffer
    model_version: string
    result: Json<PredictionResult>
    predicted_at: Date
  }
  /** The chain sequences that a user has ordered predictions on. */
  sequences: {
    id: Computed<number>
    user_id: string
    key: Buffer
  }
  server_secrets: {
    name: string
    value: string
  }
  /** A screen that its owner shows to another user, or to everyone who has the link. */
  shares: {
    id: Generated<string>
    owner_id: string
    order_id: string
    /** Of the viewer, in lower case; null: everyone who is signed in and has the link. */
    email: string | null
    /** Whether viewers may download and copy. */
    exports: boolean
    created_at: Date
  }
  sign_in_failures: {
    bucket: string
    failed_at: Date
  }
  targets: {
    /** The order of lists. */
    seq: Computed<number>
    id: Generated<string>
    user_id: string
    file_id: string
    name: string
    /** The chain that predictions use; a key of `segments`. */
    chain: string
    /** Per protein chain, the observed sequence cut at its gaps. */
    segments: Json<Record<string, string[]>>
    report: Json<TargetReport>
    /** SHA-256 of the file. */
    content_hash: Buffer
    created_at: Date
    /** The length of the chain that predictions use. */
    residues: Computed<number>
    /** Null: own values are used unless they make predictions worse. */
    use_own_values: boolean | null
    /** The user's column with another tool's scores; `score_direction` is its stronger end. */
    score_column: string | null
    score_direction: 'higher' | 'lower' | null
    /** Given by the user. */
    make_list_name: string | null
    /** Given by the user. */
    make_list_tags: Generated<string[]>
  }
  /** Orders of one pair as the API returns them. Deleted items are null. */
  tasks: {
    id: Computed<string>
    user_id: Computed<string>
    target_id: Computed<string | null>
    compound_id: Computed<string | null>
    /** At the time of the request, because the target's chain may change later. */
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
  used_nonces: {
    nonce: string
    expires_at: Date
  }
  users: {
    id: Generated<string>
    email: string
    name: Generated<string>
    google_id: string | null
    credits: number
    is_active: Generated<boolean>
    created_at: Date
    email_key: Computed<string>
    name_key: Computed<string>
    /** Email and name in lower case, for the search of the user list. */
    search_text: Computed<string>
    /** The last use of keys that were deleted since; existing keys have a later time. */
    last_seen_at: Date | null
    /** The user's own structural alerts. */
    alert_patterns: GeneratedJson<OwnAlert[]>
    /** False if the sign-in provider never says whether it verifies addresses: shares by email do not count then. */
    is_email_proven: Generated<boolean>
    /** False until the first sign-in of a user that an administrator created. */
    has_signed_in: Generated<boolean>
  }
}
