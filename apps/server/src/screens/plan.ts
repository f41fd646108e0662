/** What a screen is asked to hold, as the user's library has it now: targets, rows of the input, and what cannot be used. */
import { createHash } from 'node:crypto'
import type { ScreenRequest, UnusableRow } from '@pkdex/contract'
import { SCREEN_PAIRS_MAX } from '@pkdex/contract'
import { findCompounds, findTargets } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'

export type PlannedTarget = {
  name: string
  chain: string
  segments: string[]
  /** Two targets of one key get the same numbers. */
  key: Buffer
}

/** A row of the input. `standard` is what is predicted on; null where the row cannot be used. */
export type InputRow = {
  name: string
  smiles: string
  standard: string | null
  reason: string | null
}

export type Plan = {
  targets: PlannedTarget[]
  rows: InputRow[]
  /** One a row, of `KEY_BYTES`; empty where the row cannot be used. */
  keys: string[]
  unusable: UnusableRow[]
  /** Pairs. */
  total: number
}

/** Of a compound: the head of the SHA-256 of its standard SMILES. */
export const KEY_BYTES = 8
export const NO_KEY = '\0'.repeat(KEY_BYTES)

export async function readPlan(
  db: Database,
  userId: string,
  request: ScreenRequest,
): Promise<Plan> {
  const { targets, unusable } = await planTargets(db, userId, request.targets)
  const { rows, keys } = await planRows(db, userId, request.compounds)
  const missing = rows.flatMap(({ name, reason }) =>
    reason === null ? [] : [{ kind: 'compound' as const, name, reason }],
  )
  const total = targets.length * (rows.length - missing.length)
  if (total > SCREEN_PAIRS_MAX) {
    throw new AppError(
      'invalid_request',
      `These are ${total.toLocaleString('en')} pairs, and ${SCREEN_PAIRS_MAX.toLocaleString('en')} is the most that one screen holds.`,
    )
  }
  return { targets, rows, keys, unusable: [...unusable, ...missing], total }
}

export async function planTargets(db: Database, userId: string, asked: ScreenRequest['targets']) {
  const wanted = asked.map((one) => (typeof one === 'string' ? { name: one } : one))
  const found = await findTargets(
    db,
    userId,
    wanted.map(({ name }) => name),
  )
  const byName = new Map(found.map((target) => [target.name, target]))
  const targets = new Map<string, PlannedTarget>()
  const unusable: UnusableRow[] = []
  for (const { name: asName, chain } of wanted) {
    const name = asName.normalize('NFC')
    const target = byName.get(name)
    const used = chain ?? target?.chain ?? ''
    const segments = target?.segments[used]
    if (target === undefined) {
      unusable.push({ kind: 'target', name, reason: `You have no target named “${name}”.` })
    } else if (segments === undefined || segments.length === 0) {
      unusable.push({ kind: 'target', name, reason: `${name} has no protein chain ${used}.` })
    } else {
      const key = targetKey(segments)
      // The same chain of the same target named twice is one column.
      targets.set(JSON.stringify([name, used]), { name, chain: used, segments, key })
    }
  }
  return { targets: [...targets.values()], unusable }
}

async function planRows(db: Database, userId: string, asked: ScreenRequest['compounds']) {
  const found = await findCompounds(db, userId, asked === 'all' ? null : asked)
  const byName = new Map(found.map((compound) => [compound.name, compound]))
  const names = asked === 'all' ? [...byName.keys()] : asked.map((name) => name.normalize('NFC'))
  const rows: InputRow[] = []
  const keys: string[] = []
  for (const name of names) {
    const compound = byName.get(name)
    if (compound === undefined) {
      const reason = `You have no compound named “${name}”.`
      rows.push({ name, smiles: '', standard: null, reason })
      keys.push('')
      continue
    }
    const { smiles, standard_smiles: standard, content_hash } = compound
    rows.push({ name, smiles, standard, reason: null })
    keys.push(content_hash.toString('latin1', 0, KEY_BYTES))
  }
  return { rows, keys }
}

export function targetKey(segments: string[]): Buffer {
  return createHash('sha256').update(segments.join('/')).digest()
}
