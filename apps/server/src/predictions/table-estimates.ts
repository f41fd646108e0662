/** The best estimates of the pairs of a screen: those of the rows that are shown, or of all if an order needs them. */
import { setImmediate as giveWay } from 'node:timers/promises'
import { type Screen, structureColumns } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { type Best, type BestEstimates, plainOf, type Span } from './best-estimates.ts'
import { STEPS_PER_PKD, type StoredNumber, toSteps } from './pair-number.ts'
import type { InputRow } from './plan.ts'
import { type PlacedNumber, readAllNumbers, type ScreenTable, tableOf } from './screen-table.ts'

type Dependencies = { db: Database; best: BestEstimates }
type TableScreen = Pick<Screen, 'id' | 'targets' | 'compounds' | 'model_version'>

export async function openTable(
  { db, best }: Dependencies,
  userId: string,
  screen: TableScreen,
): Promise<ScreenTable> {
  const table = tableOf(screen)
  const targets = await db
    .selectFrom('order_targets')
    .select(['name', 'chain', 'key'])
    .where('order_id', '=', screen.id)
    .orderBy('place')
    .execute()
  const modelVersions = screen.model_version.split(', ')
  table.columns = await best.open({ userId, targets, modelVersions })
  return table
}

/** Pairs per turn: others are served in between. */
const PAIRS_AT_ONCE = 500

type StoredPair = StoredNumber & { place: number; standard: string | null; modelVersion: string }

/** By place; pairs whose estimate is the prediction are missing. */
export async function movePairs(
  { columns }: Pick<ScreenTable, 'columns'>,
  pairs: StoredPair[],
): Promise<Map<number, Best>> {
  const moved = new Map<number, Best>()
  const width = columns.length
  if (columns.every((column) => column === null)) return moved
  for (const [at, some] of Map.groupBy(pairs, ({ place }) => place % width)) {
    const column = columns[at] ?? null
    if (column === null) continue
    for (let from = 0; from < some.length; from += PAIRS_AT_ONCE) {
      const slice = some.slice(from, from + PAIRS_AT_ONCE).flatMap(toPlain)
      const estimates = await column.read(slice)
      for (const [index, { place }] of slice.entries()) addMoved(moved, place, estimates[index])
      await giveWay()
    }
  }
  return moved
}

function toPlain({ place, standard, modelVersion, ...stored }: StoredPair) {
  return standard === null ? [] : [{ place, standard, modelVersion, number: spanOf(stored) }]
}

export function spanOf({
  predicted,
  lower,
  upper,
}: Pick<StoredNumber, 'predicted' | 'lower' | 'upper'>): Span {
  return {
    predicted: predicted / STEPS_PER_PKD,
    lower: lower / STEPS_PER_PKD,
    upper: upper / STEPS_PER_PKD,
  }
}

function addMoved(moved: Map<number, Best>, place: number, best: Best | undefined): void {
  if (best !== undefined && (best.pose !== null || best.ownValues > 0)) moved.set(place, best)
}

/** Of a pair with a number. */
export function bestOf(moved: ReadonlyMap<number, Best>, place: number, number: Span): Best {
  return moved.get(place) ?? plainOf({ number })
}

/** The number as a stored one, moved to its best estimate. */
function moveNumber(number: PlacedNumber, moved: ReadonlyMap<number, Best> | null): PlacedNumber {
  const best = moved?.get(number.place)
  if (best === undefined) return number
  return {
    ...number,
    predicted: toSteps(best.predicted),
    lower: toSteps(best.lower),
    upper: toSteps(best.upper),
  }
}

/** Numbers of a page or a block, moved. `input`: rows of the table from `first` on. */
export async function moveNumbers(
  table: ScreenTable,
  numbers: PlacedNumber[],
  { input, first = 0 }: { input: InputRow[]; first?: number },
): Promise<PlacedNumber[]> {
  const width = table.targets.length
  const moved = await movePairs(
    table,
    numbers.map((number) => ({
      ...number,
      standard: input[Math.floor(number.place / width) - first]?.standard ?? null,
      modelVersion: number.model_version ?? table.modelVersion,
    })),
  )
  return numbers.map((number) => moveNumber(number, moved))
}

/** Best estimates of all pairs, one per place; null without a number. Later reads of the table use them. */
export async function loadEstimates(
  db: Database,
  table: ScreenTable,
  { input, gone }: { input: InputRow[]; gone: AbortSignal },
): Promise<(PlacedNumber | null)[]> {
  const width = table.targets.length
  const numbers = await readAllNumbers(db, table, gone)
  const moving = numbers.flatMap((number) => {
    if (number === null || !table.columns[number.place % width]) return []
    const standard = input[Math.floor(number.place / width)]?.standard ?? null
    return [{ ...number, standard, modelVersion: number.model_version ?? table.modelVersion }]
  })
  gone.throwIfAborted()
  table.moved = await movePairs(table, moving)
  return numbers.map((number) => number && moveNumber(number, table.moved))
}

type Table = Pick<ScreenTable, 'structure' | 'targets'>

/** The number after the pose, or the reason why the pair has none; nothing without poses in the screen and of the pair. */
export function structureOf({ structure, targets }: Table, place: number, pose: Span | null) {
  if (pose !== null) {
    const { predicted: value, lower, upper } = pose
    return { structure_adjusted: { value, lower, upper }, structure_reason: null }
  }
  if (structure === null) return {}
  const reason = structure(Math.floor(place / targets.length), place % targets.length)
  return { structure_adjusted: null, structure_reason: reason }
}

/** The columns for files of this screen. */
export function columnsOf(
  { structure, columns: estimates }: Pick<ScreenTable, 'structure' | 'columns'>,
  columns: readonly string[],
) {
  const hasPoses = structure !== null || estimates.some((estimate) => estimate?.hasPoses)
  return hasPoses ? [...columns, ...structureColumns] : columns
}
