/** The user's own structural alerts: a list of named SMARTS patterns, and which compounds match them. */
import { createHash } from 'node:crypto'
import type { OwnAlert } from '@pkdex/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
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
  await db
    .updateTable('users')
    .set({ alert_patterns: JSON.stringify(patterns) })
    .where('id', '=', userId)
    .execute()
  return patterns
}

/** The names of the patterns that each compound matches; compounds without a match are missing. */
export type MatchOwnAlerts = (userId: string, smiles: string[]) => Promise<Map<string, string[]>>

/** Cache size: twice a screen of 10,000 compounds. */
const KEPT_ANSWERS = 20_000

export function openOwnAlerts({ db, parsingWorkers }: Dependencies): MatchOwnAlerts {
  const kept = new LRUCache<string, number[]>({ max: KEPT_ANSWERS })
  return async (userId, smiles) => {
    const list = await readOwnAlerts(db, userId)
    const matched = new Map<string, string[]>()
    if (list.length === 0) return matched
    const patterns = list.map(({ smarts }) => smarts)
    const listKey = createHash('sha256').update(JSON.stringify(patterns)).digest('base64')
    const keyOf = (one: string) => `${listKey} ${one}`
    const unknown = smiles.filter((one) => kept.get(keyOf(one)) === undefined)
    const found = new Map<string, number[]>()
    const answers = await parsingWorkers.matchPatterns(userId, { patterns, smiles: unknown })
    for (const [at, one] of unknown.entries()) {
      found.set(one, answers[at] ?? [])
      kept.set(keyOf(one), answers[at] ?? [])
    }
    for (const one of smiles) {
      const places = found.get(one) ?? kept.get(keyOf(one)) ?? []
      const names = places.flatMap((place) => list[place]?.name ?? [])
      if (names.length > 0) matched.set(one, names)
    }
    return matched
  }
}
