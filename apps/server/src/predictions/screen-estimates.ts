/** The compounds of screens on one chain of a target, with what the best estimate of each is made from. */
import type { Screen } from '@pkdex/contract'
import { findTargets } from '#server/files/service.ts'
import type { ReadShifts } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import { readFollowUps } from './follow-ups.ts'
import { sequenceKey } from './pair-key.ts'
import { roundPk } from './pair-number.ts'
import { openPoseShifts } from './pose-shifts.ts'
import { cutPages, readPairs } from './results.ts'
import { type ScreenPair, tableOf } from './screen-table.ts'
import type { OrderStore } from './store.ts'
import type { TableReaders } from './table-readers.ts'

export type ScreenEstimate = {
  /** Empty for a molecule predicted without a name, such as one that fills a gap. */
  name: string
  /** As uploaded. */
  smiles: string
  standard: string
  /** From sequence and compound, moved by the pose if there is one: own values start from it. */
  predicted: number
  halfWidth: number
  /** Whether a pose moved it. */
  isAdjusted: boolean
}

type Dependencies = {
  db: Database
  store: Pick<OrderStore, 'read'>
  modelVersion: string
  /** Whether poses were shown to improve predictions of the model. */
  usesPoses: boolean
  tableReaders: Pick<TableReaders, 'page'>
}
type EstimatesRequest = {
  userId: string
  screens: string[]
  target: string
  chain: string | undefined
  /** Aborts when the client has disconnected. */
  gone: AbortSignal
}
type OfTarget = { targetId: string; chain: string; key: Buffer }

type Found = Omit<OfTarget, 'key'> & {
  estimates: ScreenEstimate[]
  readShifts: ReadShifts | undefined
}

/** Each molecule once: from the first screen or follow-up with it. */
export async function readScreenEstimates(
  dependencies: Dependencies,
  request: EstimatesRequest,
): Promise<Found> {
  const found = new Map<string, ScreenEstimate>()
  let of: OfTarget | null = null
  for (const id of request.screens) {
    const screen = isUuid(id) ? await dependencies.store.read(request.userId, id) : null
    if (screen === null) throw new AppError('not_found', 'Screen not found.')
    const column = findColumn(screen, request)
    of ??= await findTarget(dependencies.db, request, screen, column)
    const estimates = await dependencies.tableReaders.page(request, async () => [
      ...(await readEstimates(dependencies, { screen, column, gone: request.gone })),
      ...(await readFollowed(dependencies, { screen, column, gone: request.gone })),
    ])
    for (const estimate of estimates) {
      if (!found.has(estimate.standard)) found.set(estimate.standard, estimate)
    }
  }
  if (of === null) throw new AppError('not_found', 'Screen not found.')
  const { key, ...target } = of
  const { userId } = request
  const { db, modelVersion, usesPoses } = dependencies
  const open = usesPoses ? await openPoseShifts(db, { userId, keys: [key], modelVersion }) : null
  const readShifts = open?.(key) ?? undefined
  const shifts = await readShifts?.([...found.keys()])
  const estimates = [...found.values()].map((one) => {
    const shift = shifts?.get(one.standard)
    if (shift === undefined) return one
    return { ...one, predicted: roundPk(one.predicted + shift), isAdjusted: true }
  })
  return { ...target, estimates, readShifts }
}

function findColumn({ targets }: Screen, { target, chain }: EstimatesRequest): number {
  const name = target.normalize('NFC')
  const column = targets.findIndex(
    (target) => target.name === name && (chain === undefined || target.chain === chain),
  )
  if (column === -1) throw new AppError('not_found', `The screen has no target ${name}.`)
  return column
}

/** Own values belong to a sequence, so a target that has another sequence under the same name does not count. */
async function findTarget(
  db: Database,
  { userId }: EstimatesRequest,
  screen: Screen,
  column: number,
): Promise<OfTarget> {
  const { name, chain, key } = await db
    .selectFrom('order_targets')
    .select(['name', 'chain', 'key'])
    .where('order_id', '=', screen.id)
    .orderBy('place')
    .offset(column)
    .limit(1)
    .executeTakeFirstOrThrow()
  const [target] = await findTargets(db, userId, [name])
  if (target === undefined || !sequenceKey(target.segments[chain] ?? []).equals(key)) {
    throw new AppError('not_found', `${name} was deleted or has another sequence now.`)
  }
  return { targetId: target.id, chain, key }
}

type Column = {
  screen: Pick<Screen, 'id' | 'targets' | 'compounds' | 'model_version'>
  column: number
  /** Skips predictions of an earlier model instead of refusing them. */
  isLenient?: boolean
  gone: AbortSignal
}

async function readFollowed(
  dependencies: Pick<Dependencies, 'db' | 'modelVersion'>,
  { screen, column, gone }: Column,
): Promise<ScreenEstimate[]> {
  const target = screen.targets[column]
  const found: ScreenEstimate[] = []
  for (const followUp of await readFollowUps(dependencies.db, screen.id)) {
    if (followUp.target.name !== target?.name || followUp.target.chain !== target.chain) continue
    const one = { ...followUp, targets: [followUp.target] }
    const request = { screen: one, column: 0, isLenient: true, gone }
    found.push(...(await readEstimates(dependencies, request)))
  }
  return found
}

async function readEstimates(
  { db, modelVersion }: Pick<Dependencies, 'db' | 'modelVersion'>,
  { screen, column, isLenient = false, gone }: Column,
): Promise<ScreenEstimate[]> {
  const width = screen.targets.length
  const places = Array.from({ length: screen.compounds }, (_, row) => row * width + column)
  const pairs: ScreenPair[] = []
  for (const page of cutPages(places)) {
    gone.throwIfAborted()
    pairs.push(...(await readPairs(db, tableOf(screen), page)))
  }
  return pairs.flatMap(
    ({ input: { name, smiles, standard }, number: predictedPair, modelVersion: version }) => {
      if (predictedPair === null || standard === null) return []
      if (version !== modelVersion) {
        if (isLenient) return []
        throw ofEarlierModel()
      }
      const { predicted, lower, upper } = predictedPair
      const named = { name: name === smiles ? '' : name, smiles, standard }
      return [{ ...named, predicted, halfWidth: (upper - lower) / 2, isAdjusted: false }]
    },
  )
}

function ofEarlierModel(): AppError {
  return new AppError(
    'conflict',
    'This screen was predicted by an earlier model. Screen its compounds again, which is charged like any screen.',
  )
}
