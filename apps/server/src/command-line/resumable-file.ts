/**
 * An output file that is written part by part. What is written lies beside it until all is done, with a note of how far that
 * is, so that the same command continues there after an interruption; an existing file is replaced only at the end.
 */
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { OperatorError } from '#server/platform/errors.ts'

/** Compounds whose rows are written, and how many of these rows have no prediction. */
export type Done = { compounds: number; missing: number }

export type ResumableFile = {
  /** What an earlier run has written. */
  done: Done
  /** Writes the rest and replaces the file. `doneNow`: with the chunk that was asked for last. */
  write(chunks: AsyncIterable<string>, doneNow: () => Done): Promise<void>
}

/** `key`: of the command and its input; `process`: that writes it; `bytes`: those that count. */
const Note = z.object({
  key: z.string(),
  process: z.number(),
  bytes: z.number(),
  compounds: z.number(),
  missing: z.number(),
})
type Note = z.infer<typeof Note>

const SAVE_MS = 500

/** Throws if another process is writing the file. */
export async function openResumableFile(path: string, key: string): Promise<ResumableFile> {
  const [partial, notePath] = [`${path}.partial`, `${path}.partial.json`]
  const found = await readNote(notePath)
  if (found !== null && found.process !== process.pid && isRunning(found.process)) {
    throw new OperatorError(
      `Process ${found.process} is writing ${path}. If it does something else, delete ${notePath}.`,
    )
  }
  const file = await open(partial, 'a')
  const { size } = await file.stat()
  const isSame = found?.key === key && size >= found.bytes
  const note: Note = isSame ? found : { key, process: 0, bytes: 0, compounds: 0, missing: 0 }
  note.process = process.pid
  await file.truncate(note.bytes)
  await save()

  /** The bytes are on the disk before the note counts them. */
  async function save(): Promise<void> {
    await file.datasync()
    await writeFile(`${notePath}.new`, JSON.stringify(note))
    await rename(`${notePath}.new`, notePath)
  }

  async function removeAll(): Promise<void> {
    await Promise.all([rm(partial, { force: true }), rm(notePath, { force: true })])
  }

  return {
    done: { compounds: note.compounds, missing: note.missing },
    async write(chunks, doneNow) {
      try {
        await writeAll(
          file,
          chunks,
          (bytes) => (Object.assign(note, doneNow()).bytes += bytes),
          save,
        )
        await file.close()
      } catch (error) {
        // A full disk may have no room for the note: the one before still holds.
        if (note.compounds > 0) await save().catch(() => undefined)
        await file.close()
        if (note.compounds === 0) await removeAll()
        throw error
      }
      await rename(partial, path)
      await removeAll()
    },
  }
}

async function writeAll(
  file: FileHandle,
  chunks: AsyncIterable<string>,
  count: (bytes: number) => void,
  save: () => Promise<void>,
): Promise<void> {
  let saved = performance.now()
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk)
    await file.appendFile(bytes)
    count(bytes.length)
    if (performance.now() - saved < SAVE_MS) continue
    await save()
    saved = performance.now()
  }
  await save()
}

/** Null without a note that can be read. */
async function readNote(path: string): Promise<Note | null> {
  try {
    return Note.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}
