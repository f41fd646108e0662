/** Splits work on long lists into portions, so that users take turns, and handles failing portions. */
import { type Parsed, unreadable } from '@pkdex/biochem'
import { busy, openPlaces } from '#server/platform/limits/places.ts'
import type { Outcome } from '#server/platform/jobs/thread-pool.ts'

export const PORTION = 100

/** Results in order; null for items that failed even when tried alone, or came after `goesOn` ended. */
export async function inPortions<Answer>(
  all: string[],
  read: (some: string[]) => Promise<Outcome<(Answer | null)[]>>,
  { portion = PORTION, goesOn = () => true }: { portion?: number; goesOn?: () => boolean } = {},
): Promise<(Answer | null)[]> {
  const answers: (Answer | null)[] = []
  for (let from = 0; from < all.length; from += portion) {
    const some = all.slice(from, from + portion)
    const outcome = goesOn() ? await read(some) : null
    if (outcome?.kind === 'done') answers.push(...outcome.output)
    else for (const one of some) answers.push(goesOn() ? await readAlone(one, read) : null)
  }
  return answers
}

async function readAlone<Answer>(
  one: string,
  read: (some: string[]) => Promise<Outcome<(Answer | null)[]>>,
): Promise<Answer | null> {
  const outcome = await read([one])
  return outcome.kind === 'done' ? (outcome.output[0] ?? null) : null
}

/** If a task hung or broke its thread, the input is to blame, unless the task never began. */
export function parsedOr<T>(outcome: Outcome<Parsed<T>>, reason: string): Parsed<T> {
  if (outcome.kind === 'done') return outcome.output
  if (outcome.step === 0) throw new Error('a thread did not start', { cause: outcome })
  return unreadable(0, reason)
}

const WAITING_MAX = 20

export type InTurn = ReturnType<typeof openTurns>

/** Serves users in rotation, one turn per user at a time; one thread is always free for short work. */
export function openTurns(threads: number) {
  const turns = openPlaces({
    all: threads,
    perUser: 1,
    long: Math.max(1, threads - 1),
    waitingMax: WAITING_MAX,
    refusal: busy('Too many of your files are being processed. Try again in a moment.'),
  })
  return <T>(userId: string, isLong: boolean, work: () => Promise<T>): Promise<T> =>
    turns.use(userId, work, { isLong })
}
