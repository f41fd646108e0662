/** The plan of a screen, resolved from the user's library: targets, input rows, and items that must be skipped. */
import type { ScreenRequest, UnusableRow } from '@pkdex/contract'
import { SCREEN_PAIRS_MAX } from '@pkdex/contract'
import { findCompounds, findTargets, wordNotFound } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { flatKeyOf, sequenceKey } from './pair-key.ts'

export type PlannedTarget = {
  name: string
  chain: string
  segments: string[]
  /** Two targets with the same key get the same predictions. */
  key: Buffer
  /** The ligand to place compounds on; the suggested one if undefined. */
  reference?: string | undefined
}

/** A row of the input. The model gets `standard`, which is null if the row is skipped. */
export type InputRow = {
  name: string
  smiles: string
  standard: string | null
  reason: string | null
}

export type Plan = {
  targets: PlannedTarget[]
  rows: InputRow[]
  /** `compoundKey` of each row without stereochemistry, as Latin-1; empty if the row is skipped. */
  keys: string[]
  unusable: UnusableRow[]
  /** Number of pairs. */
  total: number
}

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
  // Every row has a cell for each target, even if it is skipped.
  const cells = targets.length * rows.length
  if (cells > SCREEN_PAIRS_MAX) {
    throw new AppError(
      'invalid_request',
      `This screen has ${cells.toLocaleString('en')} pairs, skipped rows included; the maximum is ${SCREEN_PAIRS_MAX.toLocaleString('en')}.`,
    )
  }
  const total = targets.length * (rows.length - missing.length)
  return { targets, rows, keys, unusable: [...unusable, ...missing], total }
}

export async function planTargets(
  db: Database,
  userId: string,
  requested: ScreenRequest['targets'],
) {
  const wanted = requested.map((one) => (typeof one === 'string' ? onlyNamed(one) : one))
  const found = await findTargets(
    db,
    userId,
    wanted.map(({ name }) => name),
  )
  const byName = new Map(found.map((target) => [target.name, target]))
  const targets = new Map<string, PlannedTarget>()
  const unusable: UnusableRow[] = []
  for (const { name: asName, chain, reference } of wanted) {
    const name = asName.normalize('NFC')
    const target = byName.get(name)
    const used = chain ?? target?.chain ?? ''
    const segments = target?.segments[used]
    if (target === undefined) {
      unusable.push({ kind: 'target', name, reason: wordNotFound('targets', name) })
    } else if (segments === undefined || segments.length === 0) {
      unusable.push({ kind: 'target', name, reason: `${name} has no protein chain ${used}.` })
    } else {
      const key = sequenceKey(segments)
      // The same chain of the same target, named twice, is one column.
      targets.set(JSON.stringify([name, used]), { name, chain: used, segments, key, reference })
    }
  }
  return { targets: [...targets.values()], unusable }
}

function onlyNamed(name: string): Exclude<ScreenRequest['targets'][number], string> {
  return { name }
}

async function planRows(db: Database, userId: string, requested: ScreenRequest['compounds']) {
  const found = await findCompounds(db, userId, requested === 'all' ? null : requested)
  const byName = new Map(found.map((compound) => [compound.name, compound]))
  const names =
    requested === 'all' ? [...byName.keys()] : requested.map((name) => name.normalize('NFC'))
  const rows: InputRow[] = []
  const keys: string[] = []
  for (const name of names) {
    const compound = byName.get(name)
    if (compound === undefined) {
      const reason = wordNotFound('compounds', name)
      rows.push({ name, smiles: '', standard: null, reason })
      keys.push('')
      continue
    }
    const { smiles, standard_smiles: standard } = compound
    rows.push({ name, smiles, standard, reason: null })
    keys.push(flatKeyOf(compound).toString('latin1'))
  }
  return { rows, keys }
}
