/** Ends an order of kind `measurement`: stores its predictions with the measured values and deletes the order. */
import { storeNumbers } from '#server/measurements/service.ts'
import type { Trx } from '#server/platform/db/schema.ts'
import type { OrderRecord } from './order-numbers.ts'
import { fromStored, type StoredNumber } from './pair-number.ts'

/** In the transaction that ends the block, under the lock of the user's orders. */
export async function storeMeasured(
  trx: Trx,
  order: Pick<OrderRecord, 'id' | 'number' | 'model_version'>,
  jobId: string,
): Promise<void> {
  const rows = await trx
    .selectFrom('blocks')
    .innerJoin('order_targets as target', 'target.order_id', 'blocks.order_id')
    .innerJoin('order_rows as input', 'input.block', 'blocks.block')
    .leftJoin('pairs', (join) =>
      join
        .onRef('pairs.order_number', '=', 'input.order_number')
        .onRef('pairs.row', '=', 'input.row'),
    )
    .selectAll('pairs')
    .select(['input.smiles', 'chain'])
    .where('job_id', '=', jobId)
    .where('input.order_number', '=', order.number)
    .orderBy('input.row')
    .execute()
  for (const [modelVersion, some] of Map.groupBy(rows, (row) => row.model_version)) {
    const [{ chain } = { chain: '' }] = some
    const numbers = some.map(({ smiles, ...stored }) => {
      const number = stored.predicted === null ? null : fromStored(stored as StoredNumber)
      const halfWidth = number === null ? null : (number.upper - number.lower) / 2
      return { smiles, predicted: number?.predicted ?? null, halfWidth }
    })
    await storeNumbers(
      trx,
      { orderId: order.id, chain, modelVersion: modelVersion ?? order.model_version },
      numbers,
    )
  }
}
