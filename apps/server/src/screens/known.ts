/** Finds the pairs of a plan that this user has paid for before, by the same model version: they are filled in and cost nothing. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { CELL_BYTES, copyCell, hasNumber, readPredicted, writeCell } from './cells.ts'
import { KEY_BYTES, type Plan, readPlan, targetKey } from './plan.ts'

/** Different compounds by different targets; a pair that is not known has no number yet. */
export type DistinctPairs = {
  /** Places by key. */
  compounds: Map<string, number>
  targets: Map<string, number>
  cells: Buffer
}

type Wanted = { userId: string; modelVersion: string; plan: Plan }

export async function readKnown(db: Database, wanted: Wanted): Promise<DistinctPairs> {
  const { plan } = wanted
  const compounds = placesOf(plan.keys.filter((key) => key !== ''))
  const targets = placesOf(plan.targets.map(({ key }) => key.toString('hex')))
  const pairs = {
    compounds,
    targets,
    cells: Buffer.alloc(compounds.size * targets.size * CELL_BYTES),
  }
  await fillFromScreens(db, wanted, pairs)
  await fillFromTasks(db, wanted, pairs)
  return pairs
}

export function placeOf(pairs: DistinctPairs, compoundKey: string, keyOfTarget: string): number {
  const compound = pairs.compounds.get(compoundKey)
  const target = pairs.targets.get(keyOfTarget)
  return compound === undefined || target === undefined
    ? -1
    : compound * pairs.targets.size + target
}

/** Each different key with its place among them. */
function placesOf(keys: string[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const key of keys) if (!places.has(key)) places.set(key, places.size)
  return places
}

/** Blocks in one go, so that the one embedded connection and the memory serve others, too. */
const PAGE_BLOCKS = 100

async function fillFromScreens(
  db: Database,
  { userId, modelVersion, plan }: Wanted,
  pairs: DistinctPairs,
): Promise<void> {
  const keys = plan.targets.map(({ key }) => key)
  if (keys.length === 0) return
  const screens = await db
    .selectFrom('screens')
    .innerJoin('screen_targets', 'screen_targets.screen_id', 'screens.id')
    .select(['screens.id', 'screen_targets.place', 'screen_targets.key'])
    .where('screens.user_id', '=', userId)
    .where('screens.model_version', '=', modelVersion)
    .orderBy('screens.id')
    .orderBy('screen_targets.place')
    .execute()
  const keysOf = Map.groupBy(screens, ({ id }) => id)
  const shared = [...keysOf].filter(([, targets]) => targets.some(({ key }) => isIn(pairs, key)))
  for (const [screenId, targets] of shared) {
    const targetKeys = targets.map(({ key }) => key.toString('hex'))
    for (let from = 0; ; from += PAGE_BLOCKS) {
      const blocks = await pageOfCells(db, screenId, from)
      for (const block of blocks) fillFromBlock(pairs, block, targetKeys)
      if (blocks.length < PAGE_BLOCKS) break
    }
  }
}

function isIn({ targets }: DistinctPairs, key: Buffer): boolean {
  return targets.has(key.toString('hex'))
}

function pageOfCells(db: Database, screenId: string, from: number) {
  return db
    .selectFrom('screen_blocks')
    .select(['compound_keys', 'cells'])
    .where('screen_id', '=', screenId)
    .where('cells', 'is not', null)
    .orderBy('block')
    .offset(from)
    .limit(PAGE_BLOCKS)
    .execute()
}

function fillFromBlock(
  pairs: DistinctPairs,
  { compound_keys: keys, cells }: { compound_keys: Buffer; cells: Buffer | null },
  targetKeys: string[],
): void {
  if (cells === null) return
  for (let row = 0; row * KEY_BYTES < keys.length; row += 1) {
    const compound = keys.toString('latin1', row * KEY_BYTES, (row + 1) * KEY_BYTES)
    if (!pairs.compounds.has(compound)) continue
    for (const [column, target] of targetKeys.entries()) {
      const place = placeOf(pairs, compound, target)
      const from = { cells, place: row * targetKeys.length + column }
      if (place < 0 || !hasNumber(cells, from.place)) continue
      copyCell(from, { cells: pairs.cells, place })
    }
  }
}

/** Pairs that were predicted one at a time, whatever the names of target and compound are. */
async function fillFromTasks(
  db: Database,
  { userId, modelVersion, plan }: Wanted,
  pairs: DistinctPairs,
): Promise<void> {
  const keyOf = await readChainKeys(db, userId, plan)
  const ids = [...new Set([...keyOf.keys()].map((id) => id.slice(0, id.indexOf('/'))))]
  if (ids.length === 0) return
  const tasks = await db
    .selectFrom('tasks')
    .innerJoin('compounds', 'compounds.id', 'tasks.compound_id')
    .select(['tasks.target_id', 'tasks.target_chain', 'tasks.result', 'compounds.content_hash'])
    .where('tasks.user_id', '=', userId)
    .where('tasks.target_id', '=', sql<string>`any(${ids})`)
    .where('tasks.model_version', '=', modelVersion)
    .where('tasks.status', '=', 'SUCCESS')
    .execute()
  for (const { target_id, target_chain, result, content_hash } of tasks) {
    const compound = content_hash.toString('latin1', 0, KEY_BYTES)
    const place = placeOf(pairs, compound, keyOf.get(`${target_id}/${target_chain}`) ?? '')
    if (place < 0 || result === null) continue
    writeCell(pairs.cells, place, {
      predicted: result.predicted_kd,
      lower: result.interval.lower,
      upper: result.interval.upper,
      isInside: result.domain.is_inside,
      isLigandDriven: result.domain.is_ligand_driven,
      compoundSimilarity: result.nearest_compound.similarity,
      targetSimilarity: result.nearest_targets[0]?.similarity ?? 0,
    })
  }
}

/** Chains of the user's targets that have the sequence of a planned one, as `id/chain`, with its key. */
async function readChainKeys(
  db: Database,
  userId: string,
  { targets }: Plan,
): Promise<Map<string, string>> {
  const sequences = JSON.stringify(targets.map(({ segments }) => segments))
  const { rows } = await sql<{ id: string; chain: string; segments: string[] }>`
    select targets.id, chains.key as chain, chains.value as segments
    from targets cross join jsonb_each(targets.segments) chains
    where targets.user_id = ${userId}
      and chains.value in (select jsonb_array_elements(${sequences}::jsonb))`.execute(db)
  return new Map(
    rows.map(({ id, chain, segments }) => [`${id}/${chain}`, targetKey(segments).toString('hex')]),
  )
}

type OfTarget = { userId: string; modelVersion: string; targetName: string }

/** The user's compounds by name whose number on this target is known, and how many different ones have none. */
export async function listKnownNumbers(
  db: Database,
  { targetName, ...wanted }: OfTarget,
): Promise<{ known: { name: string; predicted: number }[]; missing: number }> {
  const plan = await readPlan(db, wanted.userId, { targets: [targetName], compounds: 'all' })
  const target = plan.targets[0]
  if (target === undefined) {
    throw new AppError('not_found', plan.unusable[0]?.reason ?? 'You have no such target.')
  }
  const pairs = await readKnown(db, { ...wanted, plan })
  const known = plan.rows.flatMap(({ name }, row) => {
    const place = placeOf(pairs, plan.keys[row] ?? '', target.key.toString('hex'))
    if (place < 0 || !hasNumber(pairs.cells, place)) return []
    return [{ name, predicted: readPredicted(pairs.cells, place) }]
  })
  const places = [...pairs.compounds.values()]
  return { known, missing: places.filter((place) => !hasNumber(pairs.cells, place)).length }
}

type OnePair = { userId: string; segments: string[]; smiles: string; modelVersion: string }

/** Whether the user has the number of this pair from a screen. `smiles`: the standard one. */
export async function isPairPaid(db: Database, pair: OnePair): Promise<boolean> {
  const compound = createHash('sha256').update(pair.smiles).digest().subarray(0, KEY_BYTES)
  const blocks = await db
    .selectFrom('screen_targets')
    .innerJoin('screens', 'screens.id', 'screen_targets.screen_id')
    .innerJoin('screen_blocks', 'screen_blocks.screen_id', 'screens.id')
    .select(['screen_targets.place', 'screen_blocks.compound_keys', 'screen_blocks.cells'])
    .where('screen_targets.key', '=', targetKey(pair.segments))
    .where('screens.user_id', '=', pair.userId)
    .where('screens.model_version', '=', pair.modelVersion)
    .where('screen_blocks.cells', 'is not', null)
    .where(sql<boolean>`position(${compound} in screen_blocks.compound_keys) > 0`)
    .execute()
  return blocks.some(({ place, compound_keys: keys, cells }) => {
    if (cells === null) return false
    const width = cells.length / CELL_BYTES / (keys.length / KEY_BYTES)
    for (let at = keys.indexOf(compound); at >= 0; at = keys.indexOf(compound, at + 1)) {
      const row = at / KEY_BYTES
      if (Number.isInteger(row) && hasNumber(cells, row * width + place)) return true
    }
    return false
  })
}
