/** Writes files into a zip while it is read. An error in an entry ends this download, and nothing else. */
import { addAbortSignal, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export type ZipEntry = {
  name: string
  /** Called once the entries before it are written; null skips the entry. */
  open: () => Readable | null | Promise<Readable | null>
}

/** `close` releases the sources of the entries, when the zip has been read or its reader disconnects. */
export function zipStream(entries: ZipEntry[], mtime: Date, close: () => Promise<void>): Readable {
  const archive = new ZipFile()
  // Declared as a generic readable stream; it is one of Node's own.
  const output = archive.outputStream as Readable
  const reader = new AbortController()
  output.once('close', () => {
    reader.abort()
    // The reader has disconnected, so there is no one to report the error to.
    void close().catch(() => undefined)
  })
  archive.on('error', (error: Error) => output.destroy(error))
  addEntries(archive, entries, { mtime, signal: reader.signal }).catch((error: Error) =>
    output.destroy(error),
  )
  return output
}

type Options = { mtime: Date; signal: AbortSignal }

/** One entry at a time, so that only one is open. */
async function addEntries(
  archive: ZipFile,
  entries: ZipEntry[],
  { mtime, signal }: Options,
): Promise<void> {
  for (const { name, open } of entries) {
    signal.throwIfAborted()
    const stream = await open()
    if (stream === null) continue
    // Closes the entry immediately if the reader left while it was being opened.
    addAbortSignal(signal, stream)
    // Without a listener, an error of the stream would end the process.
    const written = finished(stream, { writable: false })
    archive.addReadStream(stream, name, { mtime })
    await written
  }
  archive.end()
}
