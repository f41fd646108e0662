/**
 * An output file that is written part by part. What is written lies beside it until all is done, with a note of how far that
 * is, so that the same command continues there after an interruption; an existing file is replaced only at the end.
 */
import { constants, fdatasyncSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { access, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '#server/platform/errors.ts'
import { type FileLock, lockFile } from '#server/platform/file-lock.ts'

/** Compounds whose rows are written, and how many of these rows have no prediction. */
type Done = { compounds: number; missing: number }

export type ResumableFile = {
  /** What an earlier run has written. */
  done: Done
  /** What another command, or this one with another input, had begun is dropped. */
  isAnew: boolean
  /** Writes the rest and replaces the file. `doneNow`: with the chunk that was asked for last. */
  write(chunks: AsyncIterable<string>, doneNow: () => Done): Promise<void>
  /** For a process that ends now: true if the same command will continue; else nothing is left behind. */
  interrupt(): boolean
}

/** `key`: of the command and its input; `bytes`: those that count. */
const Note = z.object({
  key: z.string(),
  bytes: z.number(),
  compounds: z.number(),
  missing: z.number(),
})
type Note = z.infer<typeof Note>

const SAVE_MS = 500

/** Throws if another process is writing the file, or if nothing can be written there. */
export async function openResumableFile(path: string, key: string): Promise<ResumableFile> {
  const partial = `${path}.pkdex-partial`
  const [notePath, newNote, lockPath] = [`${partial}.json`, `${partial}.new`, `${partial}.lock`]
  await access(dirname(path), constants.W_OK)
  // Before the file is opened: a file that another process has just finished must not be emptied.
  const lock = lockOf(lockPath) ?? refuse(path)
  const file = await open(partial, 'a')
  const { size } = await file.stat()
  const found = await readNote(notePath)
  const isSame = found?.key === key && size >= found.bytes
  const note: Note = isSame ? found : { key, bytes: 0, compounds: 0, missing: 0 }
  // The note of another command would count the bytes of this one.
  if (!isSame) remove(notePath)
  await file.truncate(note.bytes)
  let isOpen = true

  /** The bytes are on the disk before the note counts them. Without a compound there is nothing to continue. */
  function save(): void {
    if (note.compounds === 0) return
    fdatasyncSync(file.fd)
    writeFileSync(newNote, JSON.stringify(note))
    renameSync(newNote, notePath)
  }

  async function writeAll(chunks: AsyncIterable<string>, doneNow: () => Done): Promise<void> {
    let saved = performance.now()
    for await (const chunk of chunks) {
      const bytes = Buffer.from(chunk)
      await file.appendFile(bytes)
      note.bytes += bytes.length
      Object.assign(note, doneNow())
      if (performance.now() - saved < SAVE_MS) continue
      save()
      saved = performance.now()
    }
    save()
  }

  function remove(...paths: string[]): void {
    for (const one of paths) rmSync(one, { force: true })
  }

  function interrupt(): boolean {
    if (!isOpen) return false
    isOpen = false
    const isBegun = note.compounds > 0
    try {
      if (isBegun) save()
      else remove(partial)
    } catch {
      // A full disk has no room for the note: the one before still holds.
      remove(newNote)
    }
    void file.close().catch(() => undefined)
    lock.release()
    remove(lockPath)
    return isBegun
  }

  return {
    done: { compounds: note.compounds, missing: note.missing },
    isAnew: found !== null && !isSame,
    async write(chunks, doneNow) {
      try {
        await writeAll(chunks, doneNow)
        // Together, so that no interruption notes a file that is finished.
        renameSync(partial, path)
        isOpen = false
      } catch (error) {
        interrupt()
        throw error
      } finally {
        await file.close()
      }
      lock.release()
      remove(notePath, lockPath)
    },
    interrupt,
  }
}

function lockOf(path: string): FileLock | null {
  try {
    return lockFile(path)
  } catch (cause) {
    throw new OperatorError(`${path} cannot be written.`, { cause })
  }
}

function refuse(path: string): never {
  throw new OperatorError(`Another process is writing ${path}.`)
}

/** Null without a note that can be read. */
async function readNote(path: string): Promise<Note | null> {
  try {
    return Note.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}
