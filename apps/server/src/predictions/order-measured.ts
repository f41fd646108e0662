/**
 * Orders the predictions that users' measured values are compared with, at no cost. `measured-numbers.ts` stores the
 * predictions with the values and deletes the order when it is done.
 */
import {
  forgetOtherModels,
  listTargetsToOrder,
  noteOrder,
  type OfTarget,
  readToOrder,
} from '#server/measurements/service.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type OrderDependencies, placeOrder } from './order.ts'
import { findFlatKeys } from './flat-keys.ts'
import { sequenceKey } from './pair-key.ts'
import type { Plan } from './plan.ts'
import { holdOrders } from './settle.ts'

/** Orders placed by one sweep; the next one follows within seconds. */
const TARGETS_PER_SWEEP = 100

/** The values of one target, as after an import. */
export async function orderMeasured(
  dependencies: OrderDependencies,
  of: OfTarget & { reqId: string },
): Promise<void> {
  const { userId } = of
  await inTransaction(dependencies.db, async (trx) => {
    await holdOrders(trx, userId)
    const found = await readToOrder(trx, of)
    if (found === null) return
    const plan = planOf(found, await findFlatKeys(trx, { userId, smiles: found.smiles }))
    const { id } = await placeOrder(dependencies, trx, {
      userId,
      kind: 'measurement',
      idempotencyKey: null,
      requestHash: null,
      reqId: of.reqId,
      plan,
    })
    await noteOrder(trx, found.ids, id)
  })
  dependencies.wakeWorker()
}

/** Values without a current prediction: chain or model changed, target uploaded again, or import interrupted. */
export async function orderAllMeasured(dependencies: OrderDependencies): Promise<void> {
  await forgetOtherModels(dependencies.db, dependencies.modelVersion)
  for (const of of await listTargetsToOrder(dependencies.db, TARGETS_PER_SWEEP)) {
    await orderMeasured(dependencies, { ...of, reqId: 'sweep' })
  }
}

function planOf(
  { target, smiles }: NonNullable<Awaited<ReturnType<typeof readToOrder>>>,
  keys: string[],
): Plan {
  return {
    targets: [{ ...target, key: sequenceKey(target.segments) }],
    rows: smiles.map((one) => ({ name: '', smiles: one, standard: one, reason: null })),
    keys,
    unusable: [],
    total: smiles.length,
  }
}
