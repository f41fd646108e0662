/**
 * The product's own tables under the names that administrators see, and for each the columns that may
 * leave the server: no hash of a password or key, no token, and no bytes of files and pictures.
 */
import { type Compilable, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Tables } from '#server/platform/db/schema.ts'

export type CollectionSource = {
  table: keyof Tables
  columns: readonly string[]
  select(db: Database): Compilable
}

export const collections: ReadonlyMap<string, CollectionSource> = new Map([
  collection('users', 'users', [
    'id',
    'email',
    'name',
    'google_id',
    'credits',
    'is_active',
    'created_at',
  ]),
  collection('identities', 'identities', [
    'id',
    'user_id',
    'issuer',
    'subject',
    'email',
    'created_at',
    'removed_at',
  ]),
  collection('administrators', 'administrators', ['id', 'email', 'created_at']),
  collection('api_keys', 'keys', [
    'id',
    'user_id',
    'kind',
    'prefix',
    'created_at',
    'last_used_at',
    'idle_expires_at',
    'expires_at',
    'closes_at',
    'revoked_at',
  ]),
  collection(
    'files',
    'files',
    ['id', 'user_id', 'file_type', 'filename', 'sha256', 'size_bytes', 'uploaded_at'],
    ['sha256'],
  ),
  collection(
    'targets',
    'targets',
    [
      'id',
      'user_id',
      'file_id',
      'name',
      'chain',
      'segments',
      'report',
      'content_hash',
      'created_at',
    ],
    ['content_hash'],
  ),
  collection(
    'compounds',
    'compounds',
    [
      'id',
      'user_id',
      'file_id',
      'name',
      'smiles',
      'standard_smiles',
      'report',
      'own',
      'content_hash',
      'created_at',
    ],
    ['content_hash'],
  ),
  collection('predictions', 'tasks', [
    'id',
    'user_id',
    'target_id',
    'compound_id',
    'target_chain',
    'status',
    'result',
    'message',
    'model_version',
    'credits_charged',
    'created_at',
    'started_at',
    'finished_at',
  ]),
  collection('orders', 'orders', [
    'id',
    'number',
    'user_id',
    'kind',
    'name',
    'status',
    'targets',
    'total',
    'done',
    'failed',
    'known',
    'compounds',
    'paid',
    'credits_per_pair',
    'credits_charged',
    'bytes',
    'model_version',
    'message',
    'created_at',
    'started_at',
    'finished_at',
  ]),
  collection('order_targets', 'order_targets', ['order_id', 'place', 'name', 'chain', 'segments']),
  collection('blocks', 'blocks', [
    'order_id',
    'block',
    'status',
    'first_row',
    'rows',
    'usable',
    'predicted',
    'lane',
    'place',
  ]),
  collection('order_rows', 'order_rows', [
    'order_number',
    'row',
    'name',
    'smiles',
    'standard',
    'reason',
  ]),
  collection('pairs', 'pairs', [
    'order_number',
    'row',
    'place',
    'model_version',
    'predicted',
    'lower',
    'upper',
    'domain_state',
    'is_ligand_driven',
    'compound_similarity',
    'target_similarity',
    'is_payer',
  ]),
  collection('poses', 'poses', [
    'order_number',
    'row',
    'place',
    'pose',
    'similarity',
    'difference',
    'keeps_stereo',
    'reason',
  ]),
  collection('measurements', 'measurements', [
    'id',
    'user_id',
    'target_id',
    'compound',
    'smiles',
    'type',
    'value',
    'pk',
    'bound',
    'model_version',
    'chain',
    'predicted',
    'half_width',
    'created_at',
  ]),
  collection('listed_molecules', 'listed_molecules', [
    'id',
    'user_id',
    'target_id',
    'list',
    'smiles',
    'created_at',
  ]),
  collection('own_ligands', 'own_ligands', [
    'target_id',
    'user_id',
    'smiles',
    'heavy_atoms',
    'ligand_of',
    'created_at',
  ]),
  collection('shares', 'shares', ['id', 'owner_id', 'order_id', 'email', 'exports', 'created_at']),
  collection('comments', 'comments', [
    'id',
    'order_id',
    'author_id',
    'row',
    'place',
    'text',
    'created_at',
    'edited_at',
  ]),
  collection('link_viewers', 'link_viewers', ['share_id', 'user_id', 'opened_at']),
  collection('credit_ledger', 'ledger', [
    'id',
    'user_id',
    'delta',
    'balance_after',
    'reason',
    'task_id',
    'actor',
    'created_at',
    'note',
  ]),
  collection(
    'previews',
    'previews',
    ['content_hash', 'kind', 'theme', 'media_type', 'alt', 'created_at'],
    ['content_hash'],
  ),
  collection('audit_log', 'audit_log', [
    'id',
    'at',
    'administrator',
    'action',
    'subject',
    'before',
    'after',
  ]),
])

type Column<Table extends keyof Tables> = keyof Selectable<Tables[Table]> & string

/** Orders for one pair are in the predictions collection. Exporting them again would block the embedded database for longer. */
const notSingle = new Map<keyof Tables, RawBuilder<unknown>>([
  ['orders', sql` where kind <> 'single'`],
  ['order_targets', sql` where order_id in (select id from orders where kind <> 'single')`],
  ['blocks', sql` where order_id in (select id from orders where kind <> 'single')`],
  ['order_rows', sql` where order_number in (select number from orders where kind <> 'single')`],
  ['pairs', sql` where order_number in (select number from orders where kind <> 'single')`],
])

/** Table order: sorting a long table would block other users. */
function collection<Table extends keyof Tables>(
  name: string,
  table: Table,
  columns: Column<Table>[],
  hashes: Column<Table>[] = [],
): [string, CollectionSource] {
  const list = columns.map((column) =>
    hashes.includes(column)
      ? sql`encode(${sql.ref(column)}, 'hex') as ${sql.id(column)}`
      : sql.ref(column),
  )
  const select = (db: Database): Compilable => {
    const narrowed = notSingle.get(table) ?? sql``
    const query = sql`select ${sql.join(list)} from ${sql.table(table)}${narrowed}`
    return { compile: () => query.compile(db) }
  }
  return [name, { table, columns, select }]
}
