/** The workshop on its threads: who waits for whom, how long a task may take, and what a failure tells the file's owner. */
import { parsed, unreadable, type Parsed } from '@pkdex/biochem'
import sharp from 'sharp'
import { AppError } from '#server/http/app-error.ts'
import { readCompounds } from './read-compounds.ts'
import { openTurns } from './take-turns.ts'
import type * as tasks from './tasks.ts'
import type { DrawnTarget } from './tasks.ts'
import { openThreadPool, type Outcome } from './thread-pool.ts'
import type { Picture, ReadCompounds, Workshop } from './workshop.ts'

const SPLIT_MS_MAX = 1500
const MOLECULE_MS_MAX = 1200
const TARGET_MS_MAX = 2000
const TARGET_PICTURE_MS_MAX = 8000
const COMPOUND_PICTURE_MS_MAX = 3000

/** A target file above this size keeps a thread for more than a moment. */
const LONG_BYTES = 1024 * 1024
const WAITING_MAX = 20
const THREAD_MEMORY_MB_MAX = 768

/** `threads` of at least 2 keep one free for short work while another reads or draws a large structure. */
export function openWorkshop({ threads }: { threads: number }): Workshop {
  const pool = openThreadPool<typeof tasks>({
    file: new URL('tasks.ts', import.meta.url),
    threads,
    memoryMbMax: THREAD_MEMORY_MB_MAX,
  })
  const turns = openTurns({ slots: threads, waitingMax: WAITING_MAX })

  function take<T>(userId: string, isLong: boolean, work: () => Promise<T>): Promise<T> {
    const turn = turns.take({ userId, isLong }, work)
    if (turn !== null) return turn
    throw new AppError(
      'too_many_requests',
      'Too much of yours is waiting to be read or drawn. Please try again in a moment.',
    )
  }

  return {
    async readTarget(userId, bytes) {
      const isLong = bytes.length > LONG_BYTES
      const run = () => pool.run('readTarget', bytes, TARGET_MS_MAX)
      return parsedOr(await take(userId, isLong, run), 'This structure takes too long to read.')
    },
    async readCompounds(userId, { bytes, fileStem, gone }) {
      const split = () => pool.run('splitCompounds', { bytes, fileStem }, SPLIT_MS_MAX)
      const lines = parsedOr(await take(userId, false, split), 'This file takes too long to read.')
      if (!lines.ok) return lines
      const { molecules, rejected, renamed } = lines.value
      const read = await readCompounds(molecules, (chunk) => {
        gone?.throwIfAborted()
        return take(userId, false, () => pool.run('readMolecules', chunk, MOLECULE_MS_MAX))
      })
      const all = [...read.rejected, ...rejected].toSorted((a, b) => a.line - b.line)
      return atLeastOne({ compounds: read.compounds, rejected: all, renamed })
    },
    async drawTarget(userId, bytes, theme) {
      const draw = () => pool.run('drawTarget', { bytes, theme }, TARGET_PICTURE_MS_MAX)
      const drawn = parsedOr(await take(userId, true, draw), 'This structure is too large to draw.')
      return drawn.ok ? parsed(await encode(drawn.value)) : drawn
    },
    async drawCompound(userId, smiles, theme) {
      const draw = () => pool.run('drawCompound', { smiles, theme }, COMPOUND_PICTURE_MS_MAX)
      return parsedOr(await take(userId, false, draw), 'This molecule cannot be drawn.')
    },
    close: () => pool.close(),
  }
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
