/**
 * Reads and draws uploads off the main thread: slow or hostile input costs its own user time, never the process.
 * Defines the order of tasks, their time limits, and the message for a failure. Every call takes its user, because
 * threads are shared fairly.
 */
import {
  parsed,
  unreadable,
  type CommonCore,
  type CompoundLine,
  type KernelFeatures,
  type Parsed,
  type StructureSearch,
} from '@pkdex/biochem'
import type { Otherwise } from '@pkdex/intake'
import type { Theme } from '@pkdex/contract'
import { type AlertWorkers, openAlertWork } from './alert-work.ts'
import { inPortions, type InTurn, openTurns, parsedOr, PORTION } from './portions.ts'
import { readCompounds } from './read-compounds.ts'
import type * as tasks from './parsing-tasks.ts'
import type {
  DrawnTarget,
  Picture,
  ReadCompounds,
  ReadTarget,
  ReadValueText,
  SmallPictures,
} from './parsing-tasks.ts'

import { openThreadPool, type Outcome, type ThreadPool } from '#server/platform/jobs/thread-pool.ts'

export { decodePackedText } from './decode-text.ts'
export type { Picture, ReadCompound, ReadCompounds, ReadTarget } from './parsing-tasks.ts'

type CompoundFile = {
  bytes: Uint8Array
  /** The name for molecules without one. */
  fileStem: string
  /** Aborts when the client has disconnected; reading then ends with its reason. */
  gone?: AbortSignal | undefined
}

/**
 * `Parsed` failures are caused by the file: their reason is a sentence for the user. A user with too
 * much waiting work is refused with `too_many_requests`.
 */
export type ParsingWorkers = AlertWorkers & {
  /** Bytes as uploaded: binary content, encodings and byte order marks are handled here. */
  readTarget(userId: string, bytes: Uint8Array): Promise<Parsed<ReadTarget>>
  /** Fails only if no line is usable; otherwise invalid lines are in `rejected`. */
  readCompounds(userId: string, file: CompoundFile): Promise<Parsed<ReadCompounds>>
  /** The lines of pasted measured values. */
  readValueText(
    userId: string,
    pasted: { text: string; otherwise: Otherwise },
  ): Promise<Parsed<ReadValueText>>
  /** Molecules that came without a file; each that cannot be read is in `rejected` with its line. */
  readMolecules(userId: string, molecules: CompoundLine[], gone?: AbortSignal): Promise<ReadLines>
  /** For standard SMILES, in order; null for one that breaks its thread. */
  readFingerprints(userId: string, smiles: string[]): Promise<(KernelFeatures | null)[]>
  /** For standard SMILES, in order: whether they contain a substructure. */
  matchSubstructure(
    userId: string,
    search: { smarts: string; smiles: string[] },
  ): Promise<Parsed<boolean[]>>
  /** For standard SMILES, in order: the similarity to a drawn molecule; null for one that does not match. */
  searchStructure(
    userId: string,
    search: StructureSearch,
    gone: AbortSignal,
  ): Promise<Parsed<(number | null)[]>>
  /** For standard SMILES, in order, with coordinates; null for one that breaks its thread. */
  writeMolblocks(userId: string, smiles: string[]): Promise<(string | null)[]>
  drawTarget(userId: string, bytes: Uint8Array, theme: Theme): Promise<Parsed<Picture>>
  drawCompound(userId: string, smiles: string, theme: Theme): Promise<Parsed<Picture>>
  /** The common core of standard SMILES; null if it is small, or takes too long to find. */
  findCore(userId: string, smiles: string[]): Promise<CommonCore | null>
  /** For standard SMILES, in order, with the core in the same orientation; null for one that cannot be drawn. */
  drawCompounds(userId: string, pictures: SmallPictures): Promise<(Picture | null)[]>
  close(): Promise<void>
}

type ReadLines = Pick<ReadCompounds, 'compounds' | 'rejected'>

/** A table of 20 MB takes 2 seconds. */
const SPLIT_MS_MAX = 6000
const VALUES_MS_MAX = 3000
const MOLECULE_MS_MAX = 1200
const TARGET_MS_MAX = 2000
const TARGET_PICTURE_MS_MAX = 8000
const COMPOUND_PICTURE_MS_MAX = 3000
const CORE_MS_MAX = 3000

/** Maximum time for a whole search, including other users' turns. */
const SEARCH_MS_MAX = 60_000
const smartsTooSlow = 'This SMARTS search takes too long. Use a simpler pattern.'
const structureTooSlow = 'This search takes too long. Draw a simpler structure.'

/** A file above this size occupies a thread for more than a moment. */
const LONG_BYTES = 1024 * 1024
const THREAD_MEMORY_MB_MAX = 768
/** A thread takes about 60 MB, so only one stays open when idle. */
const IDLE_MS = 60_000

/** `threads` of at least 2 keep one free for short work while another reads or draws a large structure. */
export function openParsingWorkers({ threads }: { threads: number }): ParsingWorkers {
  const pool = openThreadPool<typeof tasks>({
    file: new URL('parsing-tasks.ts', import.meta.url),
    threads,
    memoryMbMax: THREAD_MEMORY_MB_MAX,
    idleMs: IDLE_MS,
    threadsKept: 1,
  })
  const inTurn = openTurns(threads)

  const readMolecules: ParsingWorkers['readMolecules'] = (userId, molecules, gone) =>
    readCompounds(molecules, (chunk) => {
      gone?.throwIfAborted()
      return inTurn(userId, false, () => pool.run('readMolecules', chunk, MOLECULE_MS_MAX))
    })

  return {
    readMolecules,
    async readTarget(userId, bytes) {
      const isLong = bytes.length > LONG_BYTES
      const run = () => pool.run('readTarget', bytes, TARGET_MS_MAX)
      return parsedOr(await inTurn(userId, isLong, run), 'This structure takes too long to read.')
    },
    async readCompounds(userId, { bytes, fileStem, gone }) {
      const split = () => pool.run('splitCompounds', { bytes, fileStem }, SPLIT_MS_MAX)
      const outcome = await inTurn(userId, bytes.length > LONG_BYTES, split)
      const lines = parsedOr(outcome, 'This file takes too long to process.')
      if (!lines.ok) return lines
      const { molecules, rejected, renamed } = lines.value
      const read = await readMolecules(userId, molecules, gone)
      const all = [...read.rejected, ...rejected].toSorted((a, b) => a.line - b.line)
      return atLeastOne({ compounds: read.compounds, rejected: all, renamed })
    },
    async readValueText(userId, pasted) {
      const run = () => pool.run('readValueText', pasted, VALUES_MS_MAX)
      return parsedOr(await inTurn(userId, false, run), 'This text takes too long to read.')
    },
    readFingerprints: (userId, smiles) =>
      inPortions(smiles, (some) =>
        inTurn(userId, false, () => pool.run('readFingerprints', some, MOLECULE_MS_MAX)),
      ),
    matchSubstructure: (userId, { smarts, smiles }) =>
      searchInPortions(smiles, smartsTooSlow, (some) => {
        const search = { smarts, smiles: some }
        const run = () => pool.run('matchSubstructure', search, MOLECULE_MS_MAX)
        return inTurn(userId, false, run)
      }),
    searchStructure: (userId, { smiles, ...search }, gone) =>
      searchInPortions(smiles, structureTooSlow, (some) => {
        gone.throwIfAborted()
        const run = () => pool.run('searchStructure', { ...search, smiles: some }, MOLECULE_MS_MAX)
        return inTurn(userId, false, run)
      }),
    writeMolblocks: (userId, smiles) =>
      inPortions(smiles, (some) =>
        inTurn(userId, false, () => pool.run('writeMolblocks', some, MOLECULE_MS_MAX)),
      ),
    ...openDrawing(pool, inTurn),
    ...openAlertWork(pool, inTurn),
    close: () => pool.close(),
  }
}

type Drawing = Pick<ParsingWorkers, 'drawTarget' | 'drawCompound' | 'findCore' | 'drawCompounds'>

function openDrawing(pool: ThreadPool<typeof tasks>, inTurn: InTurn): Drawing {
  return {
    async drawTarget(userId, bytes, theme) {
      const draw = () => pool.run('drawTarget', { bytes, theme }, TARGET_PICTURE_MS_MAX)
      const outcome = await inTurn(userId, true, draw)
      const drawn = parsedOr(outcome, 'This structure is too large to draw.')
      return drawn.ok ? parsed(await encode(drawn.value)) : drawn
    },
    async drawCompound(userId, smiles, theme) {
      const draw = () => pool.run('drawCompound', { smiles, theme }, COMPOUND_PICTURE_MS_MAX)
      return parsedOr(await inTurn(userId, false, draw), 'This compound cannot be drawn.')
    },
    async findCore(userId, smiles) {
      const run = () => pool.run('findCore', smiles, CORE_MS_MAX)
      const outcome = await inTurn(userId, false, run)
      return outcome.kind === 'done' ? outcome.output : null
    },
    drawCompounds: (userId, { smiles, core, theme }) =>
      inPortions(smiles, (some) => {
        const pictures = { smiles: some, core, theme }
        return inTurn(userId, false, () => pool.run('drawCompounds', pictures, MOLECULE_MS_MAX))
      }),
  }
}

/** Stops at the first portion that fails. The first portion is sent even if it is empty, to validate the query. */
async function searchInPortions<Match>(
  smiles: string[],
  tooSlow: string,
  search: (some: string[]) => Promise<Outcome<Parsed<Match[]>>>,
): Promise<Parsed<Match[]>> {
  const until = performance.now() + SEARCH_MS_MAX
  const matches: Match[] = []
  do {
    const some = smiles.slice(matches.length, matches.length + PORTION)
    const found = parsedOr(await search(some), tooSlow)
    if (!found.ok) return found
    matches.push(...found.value)
    if (performance.now() > until) return unreadable(0, tooSlow)
  } while (matches.length < smiles.length)
  return parsed(matches)
}

function atLeastOne(read: ReadCompounds): Parsed<ReadCompounds> {
  if (read.compounds.length > 0) return parsed(read)
  const [first, ...others] = read.rejected
  if (first === undefined) return unreadable(0, 'This file contains no compounds.')
  if (others.length === 0) return unreadable(first.line, first.reason)
  const count = read.rejected.length.toLocaleString('en')
  return unreadable(first.line, `None of ${count} lines can be read; the first: ${first.reason}`)
}

/** A small picture as a PNG of this width, on white, for programs that read no SVG. */
export async function toPng({ body }: Picture, width: number): Promise<Buffer> {
  const sharp = await openSharp()
  const png = { palette: true, colours: 64 }
  return sharp(body, { density: 144 })
    .resize({ width })
    .flatten({ background: '#ffffff' })
    .png(png)
    .toBuffer()
}

async function encode({ width, height, rgba, alt }: DrawnTarget): Promise<Picture> {
  const sharp = await openSharp()
  const raw = { raw: { width, height, channels: 4 as const } }
  const body = await sharp(rgba, raw).webp({ quality: 88, alphaQuality: 90 }).toBuffer()
  return { body, mediaType: 'image/webp', alt }
}

/** Takes memory, so it is loaded for the first picture. */
async function openSharp() {
  return (await import('sharp')).default
}
