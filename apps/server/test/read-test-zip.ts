/** Reads a zip back for a test, and verifies the checksum of each file. */
import { once } from 'node:events'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { type Entry, fromBuffer, open, type ZipFile } from 'yauzl'

type Options = { lazyEntries: true; autoClose: false }
type Open<Source> = (source: Source, options: Options) => Promise<ZipFile>
const options: Options = { lazyEntries: true, autoClose: false }
const openFile: Open<string> = promisify(open)
const openBytes: Open<Buffer> = promisify(fromBuffer)

/** The text of each file by its name; a name may appear once. */
export async function readTestZip(bytes: Buffer): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const names = await readEach(await openBytes(bytes, options), (name, piece) =>
    texts.set(name, (texts.get(name) ?? '') + piece),
  )
  if (new Set(names).size < names.length) throw new Error('a name appears twice')
  return new Map(names.map((name) => [name, texts.get(name) ?? '']))
}

/** Passes the text of each file to `read`, in chunks, for a zip too large for memory. */
export async function streamTestZip(
  path: string,
  read: (name: string, piece: string) => void,
): Promise<void> {
  await readEach(await openFile(path, options), read)
}

async function readEach(
  zip: ZipFile,
  read: (name: string, piece: string) => unknown,
): Promise<string[]> {
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

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  read: (piece: string) => unknown,
): Promise<void> {
  const stream = await promisify(zip.openReadStream.bind(zip) as typeof zip.openReadStream)(entry)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let checksum = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    checksum = crc32(piece, checksum)
    read(decoder.decode(piece, { stream: true }))
  }
  if (checksum !== entry.crc32) throw new Error(`${entry.fileName} is damaged`)
}
