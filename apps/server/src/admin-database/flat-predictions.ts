/** All predictions in one table, single ones and pairs of screens, with names instead of ids. */
import { type ExportFormat, fileHeading, type ScreenRow } from '@pkdex/contract'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Row, Snapshot } from '#server/platform/db/snapshots.ts'
import { isWaiting, pairsOfScreen } from '#server/predictions/service.ts'
import { type ExportDependencies, noteExport } from './export.ts'

const columns = [
  'user',
  'target',
  'chain',
  'compound',
  'smiles',
  'status',
  'predicted_kd',
  'lower',
  'upper',
  'in_domain',
  'reason',
  'model_version',
  'created_at',
  'screen',
] as const

type FlatRow = Record<(typeof columns)[number], unknown>

/** Single predictions come from one snapshot; screens follow one at a time, each in its current state. */
export async function exportFlatPredictions(
  dependencies: ExportDependencies,
  { administrator, format }: { administrator: string; format: ExportFormat },
): Promise<Readable> {
  const { db, snapshots } = dependencies
  const screens = await listScreens(db)
  const snapshot = await snapshots.open({ predictions: selectSingle(db) })
  const subject = `predictions with names as ${format}`
  await noteExport(dependencies, snapshot, { administrator, action: 'export predictions', subject })
  const pages = readAll(db, snapshot, screens)
  const rows = encodeRows(format, { columns, headingOf: fileHeading, pages })
  const stream = Readable.from(rows, { objectMode: false })
  // Closes it even if the stream is never read, or not to the end.
  stream.once('close', () => void snapshot.close().catch(() => undefined))
  return stream
}

/** Table order: sorting a long table would block other users. */
function selectSingle(db: Database) {
  return db
    .selectFrom('tasks')
    .innerJoin('users', 'users.id', 'tasks.user_id')
    .leftJoin('targets', 'targets.id', 'tasks.target_id')
    .leftJoin('compounds', 'compounds.id', 'tasks.compound_id')
    .select(['users.email as user', 'targets.name as target', 'target_chain as chain'])
    .select(['compounds.name as compound', 'compounds.smiles', 'tasks.status'])
    .select([
      sql`(result ->> 'predicted_kd')::float8`.as('predicted_kd'),
      sql`(result -> 'interval' ->> 'lower')::float8`.as('lower'),
      sql`(result -> 'interval' ->> 'upper')::float8`.as('upper'),
      sql`(result -> 'domain' ->> 'is_inside')::boolean`.as('in_domain'),
    ])
    .select(['tasks.message as reason', 'tasks.model_version', 'tasks.created_at'])
    .select(sql`null::text`.as('screen'))
}

type Listed = Awaited<ReturnType<typeof listScreens>>[number]

function listScreens(db: Database) {
  return db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .select(['orders.id', 'users.email', 'orders.created_at'])
    .where('kind', 'in', ['screen', 'call'])
    .orderBy('orders.created_at')
    .orderBy('orders.id')
    .execute()
}

async function* readAll(
  db: Database,
  snapshot: Snapshot,
  screens: Listed[],
): AsyncGenerator<Row[]> {
  yield* snapshot.pages('predictions')
  await snapshot.close()
  for (const screen of screens) {
    for await (const page of pairsOfScreen(db, screen.id)) {
      yield page.map((row) => toFlatRow(row, screen))
    }
  }
}

function toFlatRow(row: ScreenRow, { id, email, ...screen }: Listed): FlatRow {
  const missing = isWaiting(row) ? 'PENDING' : 'FAILURE'
  return {
    user: email,
    target: row.target,
    chain: row.chain,
    compound: row.compound,
    smiles: row.smiles,
    status: row.predicted_kd === null ? missing : 'SUCCESS',
    predicted_kd: row.predicted_kd,
    lower: row.lower,
    upper: row.upper,
    in_domain: row.in_domain,
    reason: row.reason,
    model_version: row.model_version,
    created_at: screen.created_at.toISOString(),
    screen: id,
  }
}
