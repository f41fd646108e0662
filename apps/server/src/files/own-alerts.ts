/** The user's own structural alerts: a list of named SMARTS patterns, and which compounds match them. */
import { createHash } from 'node:crypto'
import type { OwnAlert } from '@pkdex/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Patience } from './compound-records.ts'
import type { ParsingWorkers } from './parsing/service.ts'

type Dependencies = {
  db: Database
  parsingWorkers: Pick<ParsingWorkers, 'checkPatterns' | 'matchPatterns'>
}

export async function readOwnAlerts(db: Database, userId: string): Promise<OwnAlert[]> {
  const user = await db
    .selectFrom('users')
    .select('alert_patterns')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.alert_patterns ?? []
}

/** An error names this many patterns: a list pasted from another tool may have a hundred invalid ones. */
const NAMED_MAX = 5

/** Replaces the list, or says which patterns cannot be used and why. */
export async function replaceOwnAlerts(
  { db, parsingWorkers }: Dependencies,
  userId: string,
  patterns: OwnAlert[],
): Promise<OwnAlert[]> {
  const reasons = await parsingWorkers.checkPatterns(
    userId,
    patterns.map(({ smarts }) => smarts),
  )
  const bad = patterns.flatMap(({ name }, at) => {
    const reason = reasons[at] ?? null
    return reason === null ? [] : [`Pattern ${at + 1}, “${name}”: ${reason}`]
  })
  if (bad.length > 0) {
    const named = bad.slice(0, NAMED_MAX)
    const rest = bad.length - named.length
    if (rest > 0) named.push(`${rest} more cannot be used.`)
    throw new AppError('invalid_request', named.join(' '))
  }
  await expectFast(parsingWorkers, userId, patterns)
  await db
    .updateTable('users')
    .set({ alert_patterns: JSON.stringify(patterns) })
    .where('id', '=', userId)
    .execute()
  return patterns
}

/** Eight fused rings and an ether: a pattern of loose parts has millions of ways to match it. */
const PROBE = 'COC1CCC2CC3CC4CC5CC6CC7CC8CCCCC8CC7CC6CC5CC4CC3CC2C1'

/** Refuses the first pattern that would leave compounds unchecked. */
async function expectFast(
  parsingWorkers: Dependencies['parsingWorkers'],
  userId: string,
  patterns: OwnAlert[],
): Promise<void> {
  const smiles = [PROBE]
  const all = patterns.map(({ smarts }) => smarts)
  const [together] = await parsingWorkers.matchPatterns(userId, { patterns: all, smiles })
  if (together !== null) return
  for (const [at, { name, smarts }] of patterns.entries()) {
    const [alone] = await parsingWorkers.matchPatterns(userId, { patterns: [smarts], smiles })
    if (alone !== null) continue
    const reason = 'takes too long on a compound with fused rings. Connect its parts by bonds.'
    throw new AppError('invalid_request', `Pattern ${at + 1}, “${name}”: This ${reason}`)
  }
  throw new AppError('invalid_request', 'Together these patterns take too long. Use fewer.')
}

/**
 * The names of the patterns that each compound matches, by standard SMILES. A compound that could not be checked with
 * every pattern, or not in time, is missing.
 */
export type MatchOwnAlerts = (
  userId: string,
  smiles: string[],
  patience?: Patience,
) => Promise<Map<string, string[]>>

/** Cache size: twice a screen of 10,000 compounds. */
const CACHED_ANSWERS = 20_000
/** For callers that state no time. */
const MATCH_MS_MAX = 10_000

export function openOwnAlerts({ db, parsingWorkers }: Dependencies): MatchOwnAlerts {
  /** Places of the matched patterns; `slow` for a compound that cannot be checked. */
  const cache = new LRUCache<string, number[] | 'slow'>({ max: CACHED_ANSWERS })
  return async (userId, smiles, { until = performance.now() + MATCH_MS_MAX, gone } = {}) => {
    const list = await readOwnAlerts(db, userId)
    if (list.length === 0) return new Map(smiles.map((one) => [one, []]))
    const patterns = list.map(({ smarts }) => smarts)
    const listKey = createHash('sha256').update(JSON.stringify(patterns)).digest('base64')
    const found = new Map(smiles.map((one) => [one, cache.get(`${listKey} ${one}`)]))
    const unknown = smiles.filter((one) => found.get(one) === undefined)
    const isInTime = () => performance.now() < until
    const goesOn = () => {
      gone?.throwIfAborted()
      return isInTime()
    }
    const answers = await parsingWorkers.matchPatterns(
      userId,
      { patterns, smiles: unknown },
      goesOn,
    )
    for (const [at, one] of unknown.entries()) {
      const answer = answers[at] ?? (isInTime() ? 'slow' : undefined)
      found.set(one, answer)
      if (answer !== undefined) cache.set(`${listKey} ${one}`, answer)
    }
    return new Map(
      [...found].flatMap(([one, places]): [string, string[]][] =>
        places === undefined || places === 'slow'
          ? []
          : [[one, places.flatMap((place) => list[place]?.name ?? [])]],
      ),
    )
  }
}
