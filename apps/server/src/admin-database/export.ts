/** Exports as streams, each from one snapshot, which is given back when the last reader is gone. */
import { Readable } from 'node:stream'
import type { ExportFormat } from '@pkdex/contract'
import { ZipFile } from 'yazl'
import type { Database } from '#server/db/schema.ts'
import type { Snapshot, Snapshots } from '#server/db/snapshots.ts'
import { AppError } from '#server/http/app-error.ts'
import { recordAction } from './audit.ts'
import { type CollectionSource, collections } from './collections.ts'
import { encodeRows } from './encode-rows.ts'

export type ExportParts = { db: Database; snapshots: Snapshots; now: () => Date }

export async function exportCollection(
  parts: ExportParts,
  wish: { administrator: string; name: string; format: ExportFormat },
): Promise<Readable> {
  const { administrator, name, format } = wish
  const source = collections.get(name)
  if (source === undefined) {
    throw new AppError('not_found', `There is no collection named “${name}”.`)
  }
  const snapshot = await parts.snapshots.open({ [name]: source.select(parts.db) })
  const subject = `collection ${name} as ${format}`
  await note(parts, snapshot, { administrator, action: 'export collection', subject })
  const stream = readAs(format, snapshot, { name, source })
  stream.once('close', () => void closeQuietly(snapshot))
  return stream
}

/** A zip with one JSON file a collection. */
export async function exportAll(parts: ExportParts, administrator: string): Promise<Readable> {
  const queries = [...collections].map(([name, source]) => [name, source.select(parts.db)] as const)
  const snapshot = await parts.snapshots.open(Object.fromEntries(queries))
  const subject = 'all collections'
  await note(parts, snapshot, { administrator, action: 'export database', subject })
  return zip(snapshot, parts.now())
}

function zip(snapshot: Snapshot, mtime: Date): Readable {
  const archive = new ZipFile()
  // Declared as any readable stream; it is one of Node's own.
  const output = archive.outputStream as Readable
  const open = new Set<Readable>()
  for (const [name, source] of collections) {
    // Opened when its turn comes, one after the other.
    archive.addReadStreamLazy(`${name}_export.json`, { mtime }, (give) => {
      const stream = readAs('json', snapshot, { name, source })
      open.add(stream)
      stream.once('close', () => open.delete(stream))
      give(null, stream)
    })
  }
  archive.on('error', (error: Error) => output.destroy(error))
  archive.end()
  output.once('close', () => {
    for (const stream of open) stream.destroy()
    void closeQuietly(snapshot)
  })
  return output
}

type Named = { name: string; source: CollectionSource }

function readAs(format: ExportFormat, snapshot: Snapshot, { name, source }: Named): Readable {
  const rows = { columns: source.columns, pages: snapshot.pages(name) }
  return Readable.from(encodeRows(format, rows), { objectMode: false })
}

type Note = { administrator: string; action: string; subject: string }

/** An export that cannot be noted does not happen. */
async function note({ db, now }: ExportParts, snapshot: Snapshot, done: Note): Promise<void> {
  try {
    await db.transaction().execute((trx) => recordAction(trx, { ...done, now: now() }))
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

/** The reader is gone: there is nobody left to tell. */
async function closeQuietly(snapshot: Snapshot): Promise<void> {
  await snapshot.close().catch(() => undefined)
}
