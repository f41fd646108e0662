/**
 * Reads what was uploaded and draws it, off the main thread: slow or hostile input costs its own user
 * time, never the process. Says who waits for whom, how long a task may take, and what a failure tells the
 * file's owner. Every call takes the user it is for, because the workers are shared fairly.
 */
import {
  parsed,
  unreadable,
  type CompoundLine,
  type MoleculeProperties,
  type Parsed,
} from '@pkdex/biochem'
import sharp from 'sharp'
import type { Theme } from '@pkdex/contract'
import { AppError } from '#server/platform/errors.ts'
import { readCompounds } from './read-compounds.ts'
import { openFairScheduler } from '#server/platform/jobs/fair-scheduler.ts'
import type * as tasks from './parsing-tasks.ts'
import type { DrawnTarget, Picture, ReadCompounds, ReadTarget } from './parsing-tasks.ts'

import { openThreadPool, type Outcome } from '#server/platform/jobs/thread-pool.ts'

export type { Picture, ReadCompound, ReadCompounds, ReadTarget } from './parsing-tasks.ts'

type CompoundFile = {
  bytes: Uint8Array
  /** Names a molecule that has no name. */
  fileStem: string
  /** Aborted where nobody waits any more: reading ends with its reason. */
  gone?: AbortSignal | undefined
}

/**
 * `Parsed` failures are the file's fault: their reason is a sentence for its owner. A user with too
 * much waiting work is refused with `too_many_requests`.
 */
export type ParsingWorkers = {
  /** Bytes as uploaded: binary content, character sets and byte order marks are dealt with here. */
  readTarget(userId: string, bytes: Uint8Array): Promise<Parsed<ReadTarget>>
  /** Fails only where no line can be used; a bad line among good ones is in `rejected`. */
  readCompounds(userId: string, file: CompoundFile): Promise<Parsed<ReadCompounds>>
  /** Molecules that came without a file; each that cannot be read is in `rejected` under its line. */
  readMolecules(userId: string, molecules: CompoundLine[], gone?: AbortSignal): Promise<ReadLines>
  /** Of standard SMILES, in order; null for one that breaks its thread. */
  readFingerprints(userId: string, smiles: string[]): Promise<(Uint16Array | null)[]>
  /** Of standard SMILES, in order, whether they hold a substructure. */
  matchSubstructure(
    userId: string,
    search: { smarts: string; smiles: string[] },
  ): Promise<Parsed<boolean[]>>
  /** Of standard SMILES, in order, with coordinates; null for one that breaks its thread. */
  writeMolblocks(userId: string, smiles: string[]): Promise<(string | null)[]>
  drawTarget(userId: string, bytes: Uint8Array, theme: Theme): Promise<Parsed<Picture>>
  drawCompound(userId: string, smiles: string, theme: Theme): Promise<Parsed<Picture>>
  /** `smiles`: the standard one. */
  describeCompound(userId: string, smiles: string): Promise<Parsed<MoleculeProperties>>
  close(): Promise<void>
}

type ReadLines = Pick<ReadCompounds, 'compounds' | 'rejected'>

const SPLIT_MS_MAX = 1500
const MOLECULE_MS_MAX = 1200
const TARGET_MS_MAX = 2000
const TARGET_PICTURE_MS_MAX = 8000
const COMPOUND_PICTURE_MS_MAX = 3000

/** A whole search may take this long, turns of others included. */
const SEARCH_MS_MAX = 60_000
const searchTooSlow = 'A search for this SMARTS takes too long.'

const PORTION = 100

/** A target file above this size keeps a thread for more than a moment. */
const LONG_BYTES = 1024 * 1024
const WAITING_MAX = 20
const THREAD_MEMORY_MB_MAX = 768

/** `threads` of at least 2 keep one free for short work while another reads or draws a large structure. */
export function openParsingWorkers({ threads }: { threads: number }): ParsingWorkers {
  const pool = openThreadPool<typeof tasks>({
    file: new URL('parsing-tasks.ts', import.meta.url),
    threads,
    memoryMbMax: THREAD_MEMORY_MB_MAX,
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
      const outcome = await inTurn(userId, false, split)
      const lines = parsedOr(outcome, 'This file takes too long to read.')
      if (!lines.ok) return lines
      const { molecules, rejected, renamed } = lines.value
      const read = await readMolecules(userId, molecules, gone)
      const all = [...read.rejected, ...rejected].toSorted((a, b) => a.line - b.line)
      return atLeastOne({ compounds: read.compounds, rejected: all, renamed })
    },
    readFingerprints: (userId, smiles) =>
      inPortions(smiles, (some) =>
        inTurn(userId, false, () => pool.run('readFingerprints', some, MOLECULE_MS_MAX)),
      ),
    matchSubstructure: (userId, { smarts, smiles }) =>
      searchInPortions(smiles, (some) => {
        const search = { smarts, smiles: some }
        const run = () => pool.run('matchSubstructure', search, MOLECULE_MS_MAX)
        return inTurn(userId, false, run)
      }),
    writeMolblocks: (userId, smiles) =>
      inPortions(smiles, (some) =>
        inTurn(userId, false, () => pool.run('writeMolblocks', some, MOLECULE_MS_MAX)),
      ),
    async drawTarget(userId, bytes, theme) {
      const draw = () => pool.run('drawTarget', { bytes, theme }, TARGET_PICTURE_MS_MAX)
      const outcome = await inTurn(userId, true, draw)
      const drawn = parsedOr(outcome, 'This structure is too large to draw.')
      return drawn.ok ? parsed(await encode(drawn.value)) : drawn
    },
    async drawCompound(userId, smiles, theme) {
      const draw = () => pool.run('drawCompound', { smiles, theme }, COMPOUND_PICTURE_MS_MAX)
      return parsedOr(await inTurn(userId, false, draw), 'This molecule cannot be drawn.')
    },
    async describeCompound(userId, smiles) {
      const describe = () => pool.run('describeCompound', { smiles }, MOLECULE_MS_MAX)
      return parsedOr(await inTurn(userId, false, describe), 'This molecule cannot be described.')
    },
    close: () => pool.close(),
  }
}

async function readAlone<Answer>(
  one: string,
  read: (some: string[]) => Promise<Outcome<(Answer | null)[]>>,
): Promise<Answer | null> {
  const outcome = await read([one])
  return outcome.kind === 'done' ? (outcome.output[0] ?? null) : null
}

function openTurns(threads: number) {
  const scheduler = openFairScheduler({ slots: threads, waitingMax: WAITING_MAX })
  return <T>(userId: string, isLong: boolean, work: () => Promise<T>): Promise<T> => {
    const turn = scheduler.run({ userId, isLong }, work)
    if (turn !== null) return turn
    throw new AppError(
      'too_many_requests',
      'Too much of yours is waiting to be read or drawn. Please try again in a moment.',
    )
  }
}

/** In order; null for what a thread did not answer, even alone. */
async function inPortions<Answer>(
  all: string[],
  read: (some: string[]) => Promise<Outcome<(Answer | null)[]>>,
): Promise<(Answer | null)[]> {
  const answers: (Answer | null)[] = []
  for (let from = 0; from < all.length; from += PORTION) {
    const some = all.slice(from, from + PORTION)
    const outcome = await read(some)
    if (outcome.kind === 'done') answers.push(...outcome.output)
    else for (const one of some) answers.push(await readAlone(one, read))
  }
  return answers
}

/** Ends with the first portion that fails; the first is asked even where it is empty, for the SMARTS itself. */
async function searchInPortions(
  smiles: string[],
  search: (some: string[]) => Promise<Outcome<Parsed<boolean[]>>>,
): Promise<Parsed<boolean[]>> {
  const until = performance.now() + SEARCH_MS_MAX
  const matches: boolean[] = []
  do {
    const some = smiles.slice(matches.length, matches.length + PORTION)
    const found = parsedOr(await search(some), searchTooSlow)
    if (!found.ok) return found
    matches.push(...found.value)
    if (performance.now() > until) return unreadable(0, searchTooSlow)
  } while (matches.length < smiles.length)
  return parsed(matches)
}

/** A task that stood still or broke its thread is the input's fault, unless it never began. */
function parsedOr<T>(outcome: Outcome<Parsed<T>>, reason: string): Parsed<T> {
  if (outcome.kind === 'done') return outcome.output
  if (outcome.step === 0) throw new Error('a thread did not start', { cause: outcome })
  return unreadable(0, reason)
}

function atLeastOne(read: ReadCompounds): Parsed<ReadCompounds> {
  if (read.compounds.length > 0) return parsed(read)
  const [first, ...others] = read.rejected
  if (first === undefined) return unreadable(0, 'This file names no molecule.')
  if (others.length === 0) return unreadable(first.line, first.reason)
  const count = read.rejected.length.toLocaleString('en')
  return unreadable(first.line, `None of ${count} lines can be read; the first: ${first.reason}`)
}

async function encode({ width, height, rgba, alt }: DrawnTarget): Promise<Picture> {
  const raw = { raw: { width, height, channels: 4 as const } }
  const body = await sharp(rgba, raw).webp({ quality: 88, alphaQuality: 90 }).toBuffer()
  return { body, mediaType: 'image/webp', alt }
}
