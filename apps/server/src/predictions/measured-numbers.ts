/** Ends an order of kind `measurement`: stores its predictions with the measured values and deletes the order. */
import { storeNumbers } from '#server/measurements/service.ts'
import type { Trx } from '#server/platform/db/schema.ts'
import { unpackRows } from './blocks.ts'
import { readCell } from './cells.ts'

/** In the transaction that ends the block, under the lock of the user's orders. */
export async function storeMeasured(trx: Trx, order: { id: string }, jobId: string): Promise<void> {
  const { compounds, cells, chain, modelVersion } = await trx
    .selectFrom('blocks')
    .innerJoin('order_targets', 'order_targets.order_id', 'blocks.order_id')
    .select(['compounds', 'cells', 'chain', 'model_version as modelVersion'])
    .where('job_id', '=', jobId)
    .executeTakeFirstOrThrow()
  const numbers = (await unpackRows(compounds)).map(({ smiles }, row) => {
    const cell = cells === null ? null : readCell(cells, row)
    return {
      smiles,
      predicted: cell?.predicted ?? null,
      halfWidth: cell === null ? null : (cell.upper - cell.lower) / 2,
    }
  })
  await storeNumbers(trx, { orderId: order.id, chain, modelVersion }, numbers)
}
