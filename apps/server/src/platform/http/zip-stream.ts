/** Many files as one zip, made while it is read. */
import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export type ZipEntry = {
  name: string
  /** Called when its turn comes, one after the other. */
  open: () => Readable
}

/** `close`: gives back what the entries read from, when the last reader is gone. */
export function zipStream(entries: ZipEntry[], mtime: Date, close: () => Promise<void>): Readable {
  const archive = new ZipFile()
  // Declared as any readable stream; it is one of Node's own.
  const output = archive.outputStream as Readable
  const opened = new Set<Readable>()
  for (const { name, open } of entries) {
    archive.addReadStreamLazy(name, { mtime }, (give) => {
      const stream = open()
      opened.add(stream)
      stream.once('close', () => opened.delete(stream))
      give(null, stream)
    })
  }
  archive.on('error', (error: Error) => output.destroy(error))
  archive.end()
  output.once('close', () => {
    for (const stream of opened) stream.destroy()
    // The reader is gone: there is nobody left to tell.
    void close().catch(() => undefined)
  })
  return output
}
