/** Who may read whose data: the one place that decides. */
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'

type Wanted = {
  viewerId: string
  screenId: string
  /** Names in the owner's library that are asked for. */
  targets?: string[] | undefined
  compounds?: string[] | undefined
}

export type Access = { userId: string; owner: string; exports: boolean }

/**
 * Whose data a viewer reads: the owner of the screen, if it, or the screen that it follows up, is shared with the viewer.
 * Null for others, and for names that are not in the screen or now belong to another protein or molecule.
 */
export async function ownerOfShared(
  db: Database,
  { viewerId, screenId, targets = [], compounds = [] }: Wanted,
): Promise<Access | null> {
  if (!isUuid(screenId)) return null
  const { rows } = await sql<Access>`
    select owner.id as "userId", owner.name as owner, bool_or(shares.exports) as exports
    from orders join shares on shares.order_id in (orders.id, orders.screen_id)
      join users owner on owner.id = orders.user_id
    where orders.id = ${screenId} and orders.kind in ('screen', 'call')
      and (shares.email is null or shares.email = (select email_key from users where id = ${viewerId} and is_email_proven))
      and not exists (
        select from unnest(${targets}::text[]) as wanted (name) where not exists (
          select from order_targets planned
            join targets on targets.user_id = owner.id and targets.name = planned.name
          where planned.order_id = orders.id and planned.name = wanted.name
            and sequence_key(targets.segments, planned.chain) = planned.key))
      and not exists (
        select from unnest(${compounds}::text[]) as wanted (name) where not exists (
          select from order_rows
            join compounds on compounds.user_id = owner.id and compounds.name = order_rows.name
          where order_number = orders.number and order_rows.name = wanted.name
            and compounds.standard_smiles = order_rows.standard))
    group by owner.id, owner.name`.execute(db)
  return rows[0] ?? null
}

/** Refuses a screen that is neither the caller's own nor shared with the caller. */
export async function expectReader(
  db: Database,
  callerId: string,
  screenId: string,
): Promise<void> {
  if (isUuid(screenId)) {
    const own = await db
      .selectFrom('orders')
      .select('id')
      .where('id', '=', screenId)
      .where('user_id', '=', callerId)
      .where('kind', 'in', ['screen', 'call'])
      .executeTakeFirst()
    if (own !== undefined) return
    if ((await ownerOfShared(db, { viewerId: callerId, screenId })) !== null) return
  }
  throw new AppError('not_found', 'Screen not found.')
}

export function expectExports({ exports }: Pick<Access, 'exports'>): void {
  if (exports) return
  const message = 'The owner of this screen does not allow downloads and copies.'
  throw new AppError('forbidden', message)
}
