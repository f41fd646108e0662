/**
 * The product's own tables under the names that administrators see, and of each the columns that may
 * leave the server: no hash of a password or key, no token, and no bytes of files and pictures.
 */
import { type Compilable, type Selectable, sql } from 'kysely'
import type { Database, Tables } from '#server/platform/db/schema.ts'

export type CollectionSource = {
  table: keyof Tables
  columns: readonly string[]
  select(db: Database): Compilable
}

export const collections: ReadonlyMap<string, CollectionSource> = new Map([
  collection('users', 'users', [
    'id',
    'issuer',
    'subject',
    'email',
    'name',
    'google_id',
    'credits',
    'is_active',
    'created_at',
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
  collection('screens', 'screens', [
    'id',
    'user_id',
    'status',
    'total',
    'done',
    'known',
    'compounds',
    'paid',
    'credits_per_pair',
    'credits_charged',
    'model_version',
    'message',
    'created_at',
    'started_at',
    'finished_at',
  ]),
  collection('screen_targets', 'screen_targets', [
    'screen_id',
    'place',
    'name',
    'chain',
    'segments',
  ]),
  collection('screen_blocks', 'screen_blocks', [
    'screen_id',
    'block',
    'status',
    'first_row',
    'rows',
    'usable',
    'paid',
    'predicted',
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

/** Rows come in the order in which they lie in the table: sorting a long one would hold up everybody. */
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
    const query = sql`select ${sql.join(list)} from ${sql.table(table)}`
    return { compile: () => query.compile(db) }
  }
  return [name, { table, columns, select }]
}
