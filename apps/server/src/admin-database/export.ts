/** Exports as streams, each from one snapshot, which is released after its last reader. */
import { Readable } from 'node:stream'
import type { ExportFormat } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import type { Snapshot, Snapshots } from '#server/platform/db/snapshots.ts'
import { AppError } from '#server/platform/errors.ts'
import { recordAction } from '#server/audit/service.ts'
import { type CollectionSource, collections } from './collections.ts'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import { zipStream } from '#server/platform/http/zip-stream.ts'

export type ExportDependencies = { db: Database; snapshots: Snapshots; now: () => Date }

export async function exportCollection(
  dependencies: ExportDependencies,
  request: { administrator: string; name: string; format: ExportFormat },
): Promise<Readable> {
  const { administrator, name, format } = request
  const source = collections.get(name)
  if (source === undefined) {
    throw new AppError('not_found', `There is no collection named “${name}”.`)
  }
  const snapshot = await dependencies.snapshots.open({ [name]: source.select(dependencies.db) })
  const subject = `collection ${name} as ${format}`
  await noteExport(dependencies, snapshot, { administrator, action: 'export collection', subject })
  const stream = readAs(format, snapshot, { name, source })
  stream.once('close', () => void closeQuietly(snapshot))
  return stream
}

/** A zip with one JSON file per collection. */
export async function exportAll(
  dependencies: ExportDependencies,
  administrator: string,
): Promise<Readable> {
  const queries = [...collections].map(
    ([name, source]) => [name, source.select(dependencies.db)] as const,
  )
  const snapshot = await dependencies.snapshots.open(Object.fromEntries(queries))
  const subject = 'all collections'
  await noteExport(dependencies, snapshot, { administrator, action: 'export database', subject })
  return zip(snapshot, dependencies.now())
}

function zip(snapshot: Snapshot, mtime: Date): Readable {
  const entries = [...collections].map(([name, source]) => ({
    name: `${name}_export.json`,
    open: () => readAs('json', snapshot, { name, source }),
  }))
  return zipStream(entries, mtime, () => snapshot.close())
}

type Named = { name: string; source: CollectionSource }

function readAs(format: ExportFormat, snapshot: Snapshot, { name, source }: Named): Readable {
  const rows = { columns: source.columns, pages: snapshot.pages(name) }
  return Readable.from(encodeRows(format, rows), { objectMode: false })
}

type Note = { administrator: string; action: string; subject: string }

/** An export that cannot be recorded in the audit log does not happen. */
export async function noteExport(
  { db, now }: ExportDependencies,
  snapshot: Snapshot,
  done: Note,
): Promise<void> {
  try {
    await db.transaction().execute((trx) => recordAction(trx, { ...done, now: now() }))
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

/** The client disconnected; the error cannot be delivered. */
async function closeQuietly(snapshot: Snapshot): Promise<void> {
  await snapshot.close().catch(() => undefined)
}
