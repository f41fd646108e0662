/** Molecules predicted later for the series of a screen: orders of one target that belong to that screen. */
import { sql } from 'kysely'
import { viewOnly } from '#server/auth/guarded-routes.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import { ownerOfShared } from '#server/sharing/service.ts'
import type { PlannedTarget } from './plan.ts'

/** The screen that an order on this target may follow up: the named one, or the one that it follows up itself. */
export async function findFollowed(
  trx: Trx,
  { userId, screen, target }: { userId: string; screen: string; target: PlannedTarget },
): Promise<string> {
  const found = await trx
    .selectFrom('orders')
    .select(['id', 'kind', 'screen_id'])
    .where('id', '=', screen)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const own = found?.kind === 'screen' ? found.id : null
  const id = found?.screen_id ?? own
  if (id === null) {
    if (await ownerOfShared(trx, { viewerId: userId, screenId: screen })) throw viewOnly()
    throw new AppError('not_found', 'Screen not found.')
  }
  const { name, chain, key } = target
  const same = await trx
    .selectFrom('order_targets')
    .select('place')
    .where('order_id', '=', id)
    .where('name', '=', name)
    .where('chain', '=', chain)
    .where('key', '=', key)
    .executeTakeFirst()
  if (same !== undefined) return id
  throw new AppError('invalid_request', `The screen has no target ${name}, chain ${chain}.`)
}

type FollowUp = {
  id: string
  target: { name: string; chain: string }
  compounds: number
  model_version: string
}

/** Oldest first. */
export async function readFollowUps(db: Database, screenId: string): Promise<FollowUp[]> {
  if (!isUuid(screenId)) return []
  const rows = await db
    .selectFrom('orders')
    .innerJoin('order_targets', 'order_targets.order_id', 'orders.id')
    .select(['orders.id', 'order_targets.name', 'chain', 'compounds', 'model_version'])
    .where('screen_id', '=', screenId)
    .orderBy('created_at')
    .orderBy('orders.id')
    .execute()
  return rows.map(({ name, chain, ...order }) => ({ ...order, target: { name, chain } }))
}

/** Whether the order or one of its follow-ups is in progress. */
export async function isInProgress(db: Database | Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select exists (
    select from orders where (id = ${id} or screen_id = ${id}) and status in ('QUEUED', 'RUNNING')) as is`.execute(
    db,
  )
  return rows[0]?.is === true
}
