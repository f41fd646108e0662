/** Quotes an order, and starts it: planned, paid and queued in one transaction, only once per Idempotency-Key. */
import { randomUUID } from 'node:crypto'
import type { Screen, ScreenQuote, ScreenRequest } from '@pkdex/contract'
import { readBalance, takeCredits } from '#server/credits/service.ts'
import { countBytes, type ReadFacts } from '#server/files/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import { expectSameRequest, hashRequest } from '#server/platform/http/idempotency.ts'
import { expectExports, ownerOfShared } from '#server/sharing/service.ts'
import { viewOnly } from '#server/auth/guarded-routes.ts'
import { bytesOf, type NewOrder } from './create-order.ts'
import { findFollowed } from './follow-ups.ts'
import { leaveOutFlagged } from './leave-out.ts'
import { countPaid } from './paid.ts'
import { type Plan, readPlan } from './plan.ts'
import { chargeReason, holdOrders, toCredits } from './settle.ts'
import type { OrderStore } from './store.ts'
import { suggestName } from './suggest-name.ts'
import {
  countPoses,
  estimateStructure,
  type PlannedStructure,
  planStructure,
  POSE_BYTES,
  type StructureParts,
} from './structure-order.ts'

export type OrderDependencies = {
  db: Database
  store: OrderStore
  creditsPerPrediction: number
  /** Storage limit per user. */
  storedBytesPerUser: number
  /** Version of the model that the workers use. */
  modelVersion: string
  /** Tells the worker of this process, if it has one, that jobs were queued. `small`: only small blocks. */
  wakeWorker: (lane?: 'small') => void
}

/** Only screens can use the structure and check their compounds for alerts. */
export type ScreenOrderDependencies = OrderDependencies & {
  structures: StructureParts
  readFacts: ReadFacts
}

/** How long a quote waits for compounds that have not been checked for alerts yet. */
const QUOTE_WAIT_MS = 4000
const UNUSABLE_SHOWN = 1000

export async function quoteScreen(
  dependencies: ScreenOrderDependencies,
  userId: string,
  request: ScreenRequest,
): Promise<ScreenQuote> {
  const { db, structures, readFacts } = dependencies
  const planned = await readPlan(db, userId, request)
  const until = performance.now() + QUOTE_WAIT_MS
  const check = { userId, plan: planned, lists: request.leave_out, until }
  const { plan, flagged, leftOut } = await leaveOutFlagged(readFacts, check)
  const isPlaced = request.structure === true
  const placed = isPlaced ? await planStructure(structures, userId, plan) : null
  const quote = await quotePlan(dependencies, userId, plan)
  const structure = placed && { structure: estimateStructure(structures, plan, placed) }
  return { ...quote, flagged, left_out: leftOut, ...structure }
}

export async function quotePlan(
  { db, creditsPerPrediction, modelVersion }: OrderDependencies,
  userId: string,
  plan: Plan,
): Promise<ScreenQuote> {
  const { unpaid: toPay } = await countPaid(db, { userId, modelVersion, plan })
  const keys = plan.keys.filter((key) => key !== '')
  const structures = new Set(plan.rows.flatMap(({ standard }) => standard ?? [])).size
  return {
    targets: plan.targets.length,
    compounds: keys.length,
    total: plan.total,
    known: plan.total - toPay,
    duplicates: keys.length - structures,
    stereoisomers: structures - new Set(keys).size,
    to_predict: toPay,
    credits_needed: toCredits(toPay * creditsPerPrediction),
    credits_left: await readBalance(db, userId),
    unusable: plan.unusable.slice(0, UNUSABLE_SHOWN),
    unusable_count: plan.unusable.length,
    model_version: modelVersion,
  }
}

type Order = {
  userId: string
  kind: 'call' | 'screen'
  /** The request, to be compared with an earlier order of the same key. */
  request: object
  idempotencyKey: string | null
  /** Id of the HTTP request, for the log. */
  reqId: string
  makePlan: () => Promise<Plan>
  planStructure?: (plan: Plan) => Promise<PlannedStructure>
  /** The screen that it follows up. */
  followUpOf?: string
}

export function startScreen(
  dependencies: ScreenOrderDependencies,
  order: Omit<Order, 'makePlan' | 'kind' | 'planStructure' | 'followUpOf'> & {
    request: ScreenRequest
  },
): Promise<Screen> {
  const { userId, request } = order
  const makePlan = async () => {
    const plan = await readPlan(dependencies.db, userId, request)
    const lists = request.leave_out ?? []
    if (lists.length === 0) return plan
    return (await leaveOutFlagged(dependencies.readFacts, { userId, plan, lists })).plan
  }
  const ofStructure = (plan: Plan) => planStructure(dependencies.structures, userId, plan)
  return startPlanned(dependencies, {
    ...order,
    kind: 'screen',
    makePlan,
    ...(request.structure === true && { planStructure: ofStructure }),
  })
}

export async function startPlanned(dependencies: OrderDependencies, order: Order): Promise<Screen> {
  const { db, store } = dependencies
  const id = (await findSame(dependencies, db, order)) ?? (await startNew(dependencies, order))
  const screen = await store.read(order.userId, id)
  if (screen === null) throw new Error('an order that was just started is not there')
  return screen
}

/** The order started earlier under the same key: it is returned even if its targets or compounds were deleted. */
export async function findSame(
  { store }: Pick<OrderDependencies, 'store'>,
  db: Database,
  order: Pick<Order, 'userId' | 'idempotencyKey' | 'request'>,
): Promise<string | null> {
  const { userId, idempotencyKey, request } = order
  if (idempotencyKey === null) return null
  const same = await store.findByKey(db, userId, idempotencyKey)
  if (same === undefined) return null
  expectSameRequest(same.requestHash, request)
  return same.id
}

async function startNew(dependencies: OrderDependencies, order: Order): Promise<string> {
  const { db } = dependencies
  const plan = await order.makePlan()
  if (plan.total === 0) {
    const [first] = plan.unusable
    throw new AppError('invalid_request', first?.reason ?? 'Nothing to predict.')
  }
  const structure = await order.planStructure?.(plan)
  const id = await inTransaction(db, async (trx) => {
    await holdOrders(trx, order.userId)
    const same = await findSame(dependencies, trx, order)
    if (same !== null) return same
    const { userId, kind, idempotencyKey, reqId } = order
    const placed = { userId, kind, idempotencyKey, reqId, requestHash: hashRequest(order.request) }
    const name = kind === 'screen' ? await suggestName(trx, userId, plan) : null
    const of = {
      name,
      ...(structure !== undefined && { structure }),
      ...(await followed(trx, plan, order)),
    }
    return (await placeOrder(dependencies, trx, { ...placed, plan, ...of })).id
  })
  dependencies.wakeWorker()
  return id
}

async function followed(
  trx: Trx,
  { targets: [target] }: Plan,
  { userId, followUpOf: screen }: Order,
): Promise<Pick<NewOrder, 'followUpOf'>> {
  if (screen === undefined || target === undefined) return {}
  return { followUpOf: await findFollowed(trx, { userId, screen, target }) }
}

/** In the caller's transaction, under the lock of the user's orders: charges the credits and queues the blocks. */
export async function placeOrder(
  dependencies: Omit<OrderDependencies, 'db' | 'wakeWorker'>,
  trx: Trx,
  order: NewOrder,
): Promise<{ id: string; creditsCharged: number }> {
  const { store, creditsPerPrediction, modelVersion } = dependencies
  const { userId, kind, plan } = order
  if (kind === 'screen' || kind === 'call') await expectRoom(dependencies, trx, order)
  const { unpaid: paid, known } = await countPaid(trx, { userId, modelVersion, plan })
  const creditsPerPair = kind === 'measurement' ? 0 : creditsPerPrediction
  const creditsCharged = toCredits(paid * creditsPerPair)
  const id = randomUUID()
  if (creditsCharged > 0) {
    const charge = { userId, amount: creditsCharged, reason: chargeReason(kind), taskId: id }
    const balance = await takeCredits(trx, charge)
    if (balance === null) throw outOfCredits(order, creditsCharged, await readBalance(trx, userId))
  }
  const message = describeUnusableTargets(plan)
  const price = { known, paid, creditsPerPair, creditsCharged }
  await store.create(trx, { ...order, ...price, id, modelVersion, message })
  return { id, creditsCharged }
}

async function expectRoom(
  { storedBytesPerUser }: Pick<OrderDependencies, 'storedBytesPerUser'>,
  trx: Trx,
  { userId, plan, structure }: NewOrder,
): Promise<void> {
  const ofPoses = structure === undefined ? 0 : countPoses(plan, structure.ligands) * POSE_BYTES
  const bytes = bytesOf(plan) + ofPoses
  const used = await countBytes(trx, userId)
  if (used + bytes <= storedBytesPerUser) return
  throw new AppError(
    'conflict',
    `Your files and screens use ${inMegabytes(used)} and this screen needs ${inMegabytes(bytes)}; the limit is ${inMegabytes(storedBytesPerUser)} per user. Delete files or screens first; GET /screens?kind=call lists what POST /predict stored.`,
  )
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}

function outOfCredits({ kind }: NewOrder, needed: number, left: number): AppError {
  if (kind === 'single') {
    return new AppError('out_of_credits', 'Not enough credits. Ask your administrator for more.')
  }
  return new AppError(
    'out_of_credits',
    `This screen needs ${needed.toLocaleString('en')} credits; you have ${left.toLocaleString('en')}. Ask your administrator for more.`,
  )
}

/** Skipped compounds keep their row, with the reason; skipped targets get no column. */
function describeUnusableTargets({ unusable }: Plan): string | null {
  const reasons = unusable.filter(({ kind }) => kind === 'target').map(({ reason }) => reason)
  const more = reasons.length > 3 ? ` ${reasons.length - 3} more targets were skipped.` : ''
  return reasons.length === 0 ? null : `${reasons.slice(0, 3).join(' ')}${more}`
}

/** The user's own screen. */
export async function findScreen(
  dependencies: Pick<OrderDependencies, 'db' | 'store'>,
  userId: string,
  id: string,
): Promise<Screen> {
  const found = await findReadable(dependencies, userId, id)
  if (found.userId !== userId) throw viewOnly()
  return found.screen
}

/** A screen that the caller may read, and whose data it shows: the caller's, or those of the user who shares it. */
export async function findReadable(
  { db, store }: Pick<OrderDependencies, 'db'> & { store: Pick<OrderStore, 'read'> },
  callerId: string,
  id: string,
  use: 'view' | 'export' = 'view',
): Promise<{ screen: Screen; userId: string }> {
  const own = isUuid(id) ? await store.read(callerId, id) : null
  if (own !== null) return { screen: own, userId: callerId }
  const access = await ownerOfShared(db, { viewerId: callerId, screenId: id })
  const screen = access && (await store.read(access.userId, id))
  if (access === null || screen === null) throw new AppError('not_found', 'Screen not found.')
  const { userId, owner, exports } = access
  if (use === 'export') expectExports({ exports })
  return { screen: { ...screen, shared_by: { owner, exports } }, userId }
}
