/** A user's files for administrators: one page, or all of them as a stream. */
import { Readable } from 'node:stream'
import type { UserFile } from '@pkdex/contract'
import type { z } from 'zod'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Row, Snapshots } from '#server/platform/db/snapshots.ts'

type File = z.input<typeof UserFile>

export async function readFilePage(
  db: Database,
  userId: string,
  { page, page_size }: { page: number; page_size: number },
): Promise<{ total: number; files: File[] }> {
  const { total } = await db
    .selectFrom('files')
    .where('user_id', '=', userId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selectFiles(db, userId)
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { total, files: rows.map(toUserFile) }
}

export async function streamFiles(
  db: Database,
  snapshots: Snapshots,
  userId: string,
): Promise<Readable> {
  const snapshot = await snapshots.open({ files: selectFiles(db, userId) })
  const stream = Readable.from(encodeFiles(snapshot.pages('files')), { objectMode: false })
  // Closes it even if the stream is never read.
  stream.once('close', () => void snapshot.close().catch(() => undefined))
  return stream
}

async function* encodeFiles(pages: AsyncIterable<Row[]>) {
  yield '{"files":'
  yield* encodeRows('json', { columns: [], pages: asUserFiles(pages) })
  yield '}'
}

async function* asUserFiles(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  for await (const page of pages) yield page.map((row) => toUserFile(row as FileRow))
}

function selectFiles(db: Database, userId: string) {
  return db
    .selectFrom('files')
    .select(['id', 'filename', 'file_type', 'uploaded_at', 'size_bytes'])
    .where('user_id', '=', userId)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
}

/** A snapshot returns dates as text. */
type FileRow = {
  id: string
  filename: string
  file_type: string
  uploaded_at: Date | string
  size_bytes: number
}

function toUserFile({ id, filename, file_type, uploaded_at, size_bytes }: FileRow): File {
  const uploadDate = new Date(uploaded_at).toISOString()
  return { id, filename, fileType: file_type, uploadDate, size: Number(size_bytes) }
}
