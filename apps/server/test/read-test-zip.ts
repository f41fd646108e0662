/** Reads a zip back for a test: streams each file to a reader, and verifies its checksum. */
import { once } from 'node:events'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { type Entry, open, type ZipFile } from 'yauzl'

const openZip: (
  path: string,
  options: { lazyEntries: true; autoClose: false },
) => Promise<ZipFile> = promisify(open)

/** Passes the text of each file to `read`, in chunks. */
export async function readTestZip(
  path: string,
  read: (name: string, piece: string) => void,
): Promise<string[]> {
  const zip = await openZip(path, { lazyEntries: true, autoClose: false })
  const names: string[] = []
  for (let index = 0; index < zip.entryCount; index++) {
    const entered = once(zip, 'entry')
    zip.readEntry()
    const [entry]: [Entry] = (await entered) as [Entry]
    names.push(entry.fileName)
    await readEntry(zip, entry, (piece) => read(entry.fileName, piece))
  }
  zip.close()
  return names
}

async function readEntry(zip: ZipFile, entry: Entry, read: (piece: string) => void): Promise<void> {
  const stream = await promisify(zip.openReadStream.bind(zip) as typeof zip.openReadStream)(entry)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let checksum = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    checksum = crc32(piece, checksum)
    read(decoder.decode(piece, { stream: true }))
  }
  if (checksum !== entry.crc32) throw new Error(`${entry.fileName} is damaged`)
}
