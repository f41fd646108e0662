/** What `tables.test.ts` writes into `tables.ts` besides what the database says: narrower types and comments. */

/** By column, for what JSON contains and what no constraint limits. Columns of a view are null unless they are here. */
export const types: Record<string, string> = {
  'administrator_requests.answer': 'Record<string, unknown>',
  'audit_log.after': 'Record<string, unknown>',
  'audit_log.before': 'Record<string, unknown>',
  'compounds.own': '[column: string, value: string][]',
  'compounds.report': 'CompoundReport',
  'order_targets.segments': 'string[]',
  'orders.pose_settings':
    '{ weights: { pose: number; similarity: number; difference?: number | undefined }; anchors: string[]; request_id: string }',
  'previews.media_type': "'image/webp' | 'image/svg+xml'",
  'readings.result': 'PredictionResult',
  'targets.report': 'TargetReport',
  'targets.segments': 'Record<string, string[]>',
  'tasks.created_at': 'Date',
  'tasks.credits_charged': 'number',
  'tasks.id': 'string',
  'tasks.is_by_product': 'boolean',
  'tasks.result': 'PredictionResult | null',
  'tasks.status': "'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE'",
  'tasks.target_chain': 'string',
  'tasks.user_id': 'string',
  'users.alert_patterns': 'OwnAlert[]',
}

/** By table or column. */
export const comments: Record<string, string> = {
  administrator_keys:
    'Administrator credentials, as SHA-256 only. A session is its token and the keys created with it.',
  administrator_requests:
    'Idempotent requests: if a key comes again, the stored `answer` is returned and nothing is done.',
  'administrator_requests.administrator': 'Email.',
  'administrator_requests.request_hash': 'SHA-256 of the request.',
  audit_log:
    'Append-only: a trigger rejects everything but inserts. `before` and `after` contain no secrets.',
  'audit_log.administrator':
    "Email of the administrator; `server` for console actions, `user` for actions on one's own account.",
  blocks: 'Some rows of the input, with all targets or for poses with one: one job.',
  'blocks.done_after': 'Pairs of the order that finished with this block.',
  'blocks.lane': 'Small blocks never wait behind large ones, nor either behind poses.',
  'blocks.place': 'Index of the target; null unless for poses.',
  'blocks.predicted': 'Number of its pairs that were predicted.',
  'blocks.turn': 'Blocks of all users are processed in the order of their turns.',
  'blocks.usable': 'Rows that can be predicted.',
  'compounds.content_hash': 'SHA-256 of `standard_smiles`.',
  'compounds.flat_key': '`compoundKey` without stereochemistry; null if it has none.',
  'compounds.is_starred': "On the user's shortlist.",
  'compounds.mass': 'From the report, in g/mol.',
  'compounds.own': "The user's own columns, in input order.",
  'compounds.properties': '`CompoundRecord`, packed; null until it is computed.',
  'compounds.smiles': 'As uploaded.',
  'compounds.standard_smiles': 'As predicted and drawn.',
  deleted_people: 'Credits left by deleted accounts, by a keyed hash of the identity.',
  'files.content': 'The uploaded bytes, gzipped.',
  invitations: 'One-time invitation links; of the code only its SHA-256.',
  key_pages: 'Browser pages that keep a session alive; `closed_at` is set when the page closes.',
  keys: 'User keys, as SHA-256 only.',
  'keys.calls_on': 'The UTC day that `calls_today` counts.',
  'keys.closes_at':
    'Set while no page keeps the session alive; after that moment it is expired unless a page claims it again.',
  ledger:
    'Append-only: a trigger rejects everything but inserts. Outlives its user, hence no foreign key.',
  'ledger.actor': "Who caused it: `user`, `server`, or the administrator's email.",
  'ledger.note': "The administrator's note.",
  'ledger.task_id': 'The task or screen it belongs to.',
  listed_molecules: 'Molecules that a user wants made for a target, or does not want suggested.',
  'listed_molecules.predicted':
    'What it was predicted at when it was added, in pKd; null if it had no prediction.',
  measurements: 'Any number of values per target and compound.',
  'measurements.bound': 'The true value is at most or at least `pk`; null for an exact value.',
  'measurements.compound': 'As the user named it.',
  'measurements.fingerprint': 'Folded, 32 bits per word, lowest byte first.',
  'measurements.is_predicted': 'The model has predicted the pair for the current chain.',
  'measurements.model_version':
    'Null until the pair was predicted; `predicted` is null if the model returned no prediction.',
  'measurements.order_id':
    'The order that predicts it; null before it is ordered and once it is predicted.',
  'measurements.smiles': 'Standard SMILES.',
  'measurements.target_id':
    'Null once the target is deleted; the next target with the same `sequence_key` takes over the value.',
  'measurements.value': 'As entered.',
  order_rows: 'The rows of the input, counted from 0.',
  'order_rows.compound_key': '`compoundKey`; null if the row is skipped.',
  'order_rows.flat_key': '`compoundKey` without stereochemistry, by which its pairs are paid for.',
  'order_rows.reason': 'Why the row is skipped.',
  'order_rows.standard': 'What the model gets; null if the row is skipped, or erased.',
  order_targets: 'Targets as they were at the time of the order.',
  'order_targets.key': '`sequenceKey` of the segments.',
  'order_targets.own_ligand':
    "Molecule file of the user's own ligand, if that is the reference, as it was at the time of the order.",
  'order_targets.placed':
    'Once all poses have ended: their number, beside the mean of each of their features.',
  'order_targets.reference': 'The ligand that compounds are placed on; null without poses.',
  'order_targets.sequence_id': 'Stands for `key` in `pairs`.',
  orders: 'One order of a user and its cost.',
  'orders.bytes': "Storage used by its blocks, for the user's quota.",
  'orders.compounds': 'Rows of the input.',
  'orders.credits_charged': 'Reduced by refunds once the order has ended.',
  'orders.failed': 'Finished pairs without a prediction.',
  'orders.is_by_product':
    'A free task that an earlier version created when a cell of a screen was opened: not listed.',
  'orders.kind': '`removed`: deleted by its user, but for pairs that are left.',
  'orders.model_version':
    'The model versions of all its predictions, for display, separated by commas.',
  'orders.name': 'Suggested at the start; the user may change or remove it.',
  'orders.note': "The user's note on it.",
  'orders.number':
    'Orders in the order in which they were placed; stands for `id` in the tables with many rows.',
  'orders.paid': 'Distinct pairs that it was charged for.',
  'orders.pose_settings':
    'Null if its compounds are not placed: pKd per unit of each feature, standard SMILES that every compound is compared with, and the request, for the log.',
  'orders.request_hash': 'SHA-256 of the request.',
  'orders.screen_id': 'The screen whose series the molecules of a call belong to; deleted with it.',
  'orders.target_id': 'Target of a single prediction; null once deleted, like `compound_id`.',
  'orders.total': 'Pairs that can be predicted; `done` of them are finished.',
  own_ligands: "A user's own reference ligand for a target.",
  'own_ligands.ligand_of':
    'The ligand of the structure whose coordinates it has; null if it has its own.',
  'own_ligands.molfile': 'With coordinates in the frame of the structure.',
  pairs: 'Pairs of an order that have a prediction; written once, when they are predicted.',
  'pairs.compound_similarity': 'In units of 1/255, as is `target_similarity`.',
  'pairs.domain_state': '`inside`: predicted before three states were distinguished.',
  'pairs.is_payer': 'The order was charged for the pair: one per user, pair and model version.',
  'pairs.place': 'Index of the target.',
  'pairs.predicted': 'In millionths of a pKd, as are the ends of the interval.',
  poses:
    'Poses of a screen: a row per compound and target, with the features that move its prediction, or the reason why not.',
  'poses.difference': 'From other compounds of the screen, in pK.',
  'poses.place': 'Index of the target.',
  'poses.pose': 'Better than the reference ligand by this much, in kcal/mol.',
  'poses.x': 'Coordinates of the atoms, in Å.',
  readings: 'Full results of single predictions.',
  sequences: 'The chain sequences that a user has ordered predictions on.',
  shares: 'A screen that its owner shows to another user, or to everyone who has the link.',
  'shares.email': 'Of the viewer, in lower case; null: everyone who is signed in and has the link.',
  'shares.exports': 'Whether viewers may download and copy.',
  'targets.chain': 'The chain that predictions use; a key of `segments`.',
  'targets.content_hash': 'SHA-256 of the file.',
  'targets.make_list_name': 'Given by the user.',
  'targets.residues': 'The length of the chain that predictions use.',
  'targets.score_column':
    "The user's column with another tool's scores; `score_direction` is its stronger end.",
  'targets.segments': 'Per protein chain, the observed sequence cut at its gaps.',
  'targets.seq': 'The order of lists.',
  'targets.use_own_values': 'Null: own values are used unless they make predictions worse.',
  tasks: 'Orders of one pair as the API returns them. Deleted items are null.',
  'tasks.target_chain': "At the time of the request, because the target's chain may change later.",
  'users.alert_patterns': "The user's own structural alerts.",
  'users.is_email_proven':
    'False if the sign-in provider never says whether it verifies addresses: shares by email do not count then.',
  'users.issuer': 'Null until the first sign-in, like `subject`.',
  'users.last_seen_at':
    'The last use of keys that were deleted since; existing keys have a later time.',
  'users.search_text': 'Email and name in lower case, for the search of the user list.',
}
