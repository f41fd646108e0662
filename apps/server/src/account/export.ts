/** All that is a user's as one zip: files as they were uploaded, everything else as tables, of one moment. */
import { Readable } from 'node:stream'
import { type Compilable, sql } from 'kysely'
import { readFileContent } from '#server/files/service.ts'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Snapshots } from '#server/platform/db/snapshots.ts'
import { type ZipEntry, zipStream } from '#server/platform/http/zip-stream.ts'
import { historyColumns, pastPredictions } from '#server/predictions/service.ts'
import { rowsOfScreen } from '#server/screens/service.ts'

export type ExportDependencies = { db: Database; snapshots: Snapshots; now: () => Date }

export async function exportAccount(
  { db, snapshots, now }: ExportDependencies,
  userId: string,
): Promise<Readable> {
  const entries = [...(await fileEntries(db, userId)), ...(await screenEntries(db, userId))]
  const tables = tablesOf(db, userId)
  const names = Object.keys(tables) as (keyof typeof columns)[]
  const snapshot = await snapshots.open(tables, userId)
  for (const name of names) {
    const rows = { columns: columns[name], pages: snapshot.pages(name) }
    entries.unshift({ name: `${name}.csv`, open: () => toStream(encodeRows('csv', rows)) })
  }
  return zipStream(entries, now(), () => snapshot.close())
}

const columns = {
  account: ['email', 'name', 'credits', 'created_at'],
  targets: ['name', 'chain', 'residues', 'file', 'created_at'],
  compounds: ['name', 'smiles', 'standard_smiles', 'mass', 'file', 'created_at', 'own_columns'],
  predictions: historyColumns,
  screens: ['id', 'status', 'total', 'done', 'credits_charged', 'model_version', 'created_at'],
  measurements: ['target', 'compound', 'smiles', 'type', 'value', 'pk', 'bound', 'created_at'],
  ledger: ['created_at', 'delta', 'balance_after', 'reason', 'note', 'task_id'],
} as const

function tablesOf(db: Database, userId: string): Record<keyof typeof columns, Compilable> {
  return {
    account: db.selectFrom('users').select(columns.account).where('id', '=', userId),
    targets: db
      .selectFrom('targets')
      .innerJoin('files', 'files.id', 'targets.file_id')
      .select(['name', 'chain', 'residues', 'filename as file', 'created_at'])
      .where('targets.user_id', '=', userId)
      .orderBy('seq'),
    compounds: db
      .selectFrom('compounds')
      .innerJoin('files', 'files.id', 'compounds.file_id')
      .select(['name', 'smiles', 'standard_smiles', 'mass', 'filename as file', 'created_at'])
      .select(
        sql<string | null>`
        (select json_object_agg(cell ->> 0, cell ->> 1 order by place)::text
          from jsonb_array_elements(own) with ordinality as cells (cell, place))`.as('own_columns'),
      )
      .where('compounds.user_id', '=', userId)
      .orderBy('seq'),
    predictions: pastPredictions(db, userId).orderBy('tasks.created_at').orderBy('tasks.id'),
    screens: db
      .selectFrom('screens')
      .select(columns.screens)
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id'),
    measurements: db
      .selectFrom('measurements')
      .innerJoin('targets', 'targets.id', 'measurements.target_id')
      .select(['targets.name as target', 'compound', 'smiles', 'type', 'value', 'pk', 'bound'])
      .select('measurements.created_at')
      .where('measurements.user_id', '=', userId)
      .orderBy('measurements.created_at')
      .orderBy('measurements.id'),
    ledger: db
      .selectFrom('ledger')
      .select(columns.ledger)
      .where('user_id', '=', userId)
      .orderBy('id'),
  }
}

async function fileEntries(db: Database, userId: string): Promise<ZipEntry[]> {
  const files = await db
    .selectFrom('files')
    .select(['id', 'filename'])
    .where('user_id', '=', userId)
    .orderBy('uploaded_at')
    .orderBy('filename')
    .orderBy('id')
    .execute()
  return files.map(({ id, filename }, at) => ({
    name: `files/${at + 1} ${safeName(filename)}`,
    open: () => toStream(contentOf(db, id)),
  }))
}

async function* encodeScreen(db: Database, userId: string, screenId: string) {
  yield* encodeRows('csv', await rowsOfScreen(db, { userId, screenId }))
}

async function* contentOf(db: Database, fileId: string): AsyncGenerator<Buffer> {
  yield await readFileContent(db, fileId)
}

async function screenEntries(db: Database, userId: string): Promise<ZipEntry[]> {
  const screens = await db
    .selectFrom('screens')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return screens.map(({ id }) => ({
    name: `screens/${id}.csv`,
    open: () => toStream(encodeScreen(db, userId, id)),
  }))
}

function toStream(pieces: AsyncIterable<string | Buffer>): Readable {
  return Readable.from(pieces, { objectMode: false })
}

/** What is in no name of a file on some system. */
function safeName(filename: string): string {
  return filename.replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_')
}
