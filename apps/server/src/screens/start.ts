/** What a screen would cost, and its start: paid and queued in one transaction, once for one Idempotency-Key. */
import { createHash, randomUUID } from 'node:crypto'
import type { Screen, ScreenQuote, ScreenRequest } from '@pkdex/contract'
import { readBalance, takeCredits } from '#server/credits/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { type CutBlock, cutBlocks, fillBlocks } from './blocks.ts'
import { CELL_BYTES, hasNumber } from './cells.ts'
import { readKnown } from './known.ts'
import { type Plan, readPlan } from './plan.ts'
import { toCredits } from './settle.ts'
import type { ScreenStore } from './store.ts'

export type ScreenDependencies = {
  db: Database
  store: ScreenStore
  creditsPerPrediction: number
  /** Version of the model that the workers run. */
  modelVersion: string
  /** Tells the worker of this process, if it has one, that there is work. */
  wakeWorker: () => void
}

const UNUSABLE_SHOWN = 1000
const KEY_CHARACTERS_MAX = 200

export async function quoteScreen(
  { db, creditsPerPrediction, modelVersion }: ScreenDependencies,
  userId: string,
  request: ScreenRequest,
): Promise<ScreenQuote> {
  const plan = await readPlan(db, userId, request)
  const { cells } = await readKnown(db, { userId, modelVersion, plan })
  const distinct = cells.length / CELL_BYTES
  let toPredict = 0
  for (let place = 0; place < distinct; place += 1) if (!hasNumber(cells, place)) toPredict += 1
  return {
    targets: plan.targets.length,
    compounds: plan.keys.filter((key) => key !== '').length,
    total: plan.total,
    known: plan.total - toPredict,
    to_predict: toPredict,
    credits_needed: toCredits(toPredict * creditsPerPrediction),
    credits_left: await readBalance(db, userId),
    unusable: plan.unusable.slice(0, UNUSABLE_SHOWN),
    unusable_count: plan.unusable.length,
    model_version: modelVersion,
  }
}

type Order = {
  userId: string
  /** What was asked for, as it is compared with an earlier order of the same key. */
  request: object
  idempotencyKey: string | null
  /** Of the call that asks, as the log names it. */
  reqId: string
  makePlan: () => Promise<Plan>
}

export function startScreen(
  dependencies: ScreenDependencies,
  order: Omit<Order, 'makePlan'> & { request: ScreenRequest },
): Promise<Screen> {
  const makePlan = () => readPlan(dependencies.db, order.userId, order.request)
  return startPlanned(dependencies, { ...order, makePlan })
}

export async function startPlanned(
  dependencies: ScreenDependencies,
  order: Order,
): Promise<Screen> {
  const { db, store } = dependencies
  expectUsableKey(order)
  const requestHash = createHash('sha256').update(JSON.stringify(order.request)).digest()
  const id =
    (await findSame(dependencies, db, order, requestHash)) ??
    (await startNew(dependencies, order, requestHash))
  const screen = await store.read(order.userId, id)
  if (screen === null) throw new Error('a screen that was just started is not there')
  return screen
}

function expectUsableKey({ idempotencyKey }: Order): void {
  if ((idempotencyKey?.length ?? 0) <= KEY_CHARACTERS_MAX) return
  throw new AppError(
    'invalid_request',
    `The Idempotency-Key is longer than ${KEY_CHARACTERS_MAX} characters.`,
  )
}

/** The screen that was started under the same key. */
async function findSame(
  { store }: ScreenDependencies,
  db: Database,
  { userId, idempotencyKey }: Order,
  requestHash: Buffer,
): Promise<string | null> {
  if (idempotencyKey === null) return null
  const same = await store.findByKey(db, userId, idempotencyKey)
  if (same === undefined) return null
  if (same.requestHash.equals(requestHash)) return same.id
  throw new AppError('conflict', 'This Idempotency-Key has been used for another screen.')
}

async function startNew(
  dependencies: ScreenDependencies,
  order: Order,
  requestHash: Buffer,
): Promise<string> {
  const { db } = dependencies
  const plan = await order.makePlan()
  if (plan.total === 0) {
    const [first] = plan.unusable
    throw new AppError('invalid_request', first?.reason ?? 'There is nothing to predict.')
  }
  const cut = await cutBlocks(plan)
  const id = await inTransaction(db, async (trx) => {
    // Two orders of one user wait for each other: neither takes what the other spends.
    await holdLock(trx, 'predictionRequests', order.userId)
    const same = await findSame(dependencies, trx, order, requestHash)
    return same ?? pay(dependencies, trx, { ...order, requestHash, plan, cut })
  })
  dependencies.wakeWorker()
  return id
}

async function pay(
  { store, creditsPerPrediction, modelVersion }: ScreenDependencies,
  trx: Trx,
  order: Order & { requestHash: Buffer; plan: Plan; cut: CutBlock[] },
): Promise<string> {
  const { userId, plan, cut, requestHash, idempotencyKey } = order
  const blocks = fillBlocks(plan, cut, await readKnown(trx, { userId, modelVersion, plan }))
  const paid = blocks.reduce((sum, block) => sum + block.paid, 0)
  const amount = toCredits(paid * creditsPerPrediction)
  const id = randomUUID()
  if (amount > 0) {
    const balance = await takeCredits(trx, { userId, amount, reason: 'screen', taskId: id })
    if (balance === null) throw outOfCredits(amount, await readBalance(trx, userId))
  }
  await store.create(trx, {
    id,
    userId,
    idempotencyKey,
    requestHash,
    plan,
    blocks,
    paid,
    creditsPerPair: creditsPerPrediction,
    creditsCharged: amount,
    modelVersion,
    reqId: order.reqId,
    message: describeUnusableTargets(plan),
  })
  return id
}

function outOfCredits(needed: number, left: number): AppError {
  return new AppError(
    'out_of_credits',
    `This screen needs ${needed.toLocaleString('en')} credits, and you have ${left.toLocaleString('en')}. Ask your administrator for more.`,
  )
}

/** Rows of compounds keep their place and their reason; targets that cannot be used are no column. */
function describeUnusableTargets({ unusable }: Plan): string | null {
  const reasons = unusable.filter(({ kind }) => kind === 'target').map(({ reason }) => reason)
  const more = reasons.length > 3 ? ` And ${reasons.length - 3} more targets cannot be used.` : ''
  return reasons.length === 0 ? null : `${reasons.slice(0, 3).join(' ')}${more}`
}
