/** Molecules predicted later for the series of a screen: orders of one target that belong to that screen. */
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import { CELL_BYTES, copyCell } from './cells.ts'
import type { PlannedTarget } from './plan.ts'
import { readTable } from './results.ts'
import type { ScreenTable } from './screen-table.ts'

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
  if (id === null) throw new AppError('not_found', 'Screen not found.')
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

type FollowUp = { id: string; target: { name: string; chain: string } }

/** Oldest first. */
export async function readFollowUps(db: Database, screenId: string): Promise<FollowUp[]> {
  if (!isUuid(screenId)) return []
  const rows = await db
    .selectFrom('orders')
    .innerJoin('order_targets', 'order_targets.order_id', 'orders.id')
    .select(['orders.id', 'order_targets.name', 'chain'])
    .where('screen_id', '=', screenId)
    .orderBy('created_at')
    .orderBy('orders.id')
    .execute()
  return rows.map(({ id, name, chain }) => ({ id, target: { name, chain } }))
}

const withoutPose = 'Predicted after the poses.'

type Added = {
  table: ScreenTable
  /** False for the targets that the molecule of a follow-up was not predicted on. */
  isPair: (place: number) => boolean
  /** Changes with the rows. */
  key: string
}

type Table = { id: string; table: ScreenTable; isWanted: boolean; gone: AbortSignal }

/** Appends the rows of the follow-ups to the whole table of a screen, if they are wanted. */
export async function addFollowUps(
  db: Database,
  { id, table, isWanted, gone }: Table,
): Promise<Added> {
  const followUps = isWanted ? await readFollowUps(db, id) : []
  if (followUps.length === 0) return { table, isPair: () => true, key: id }
  const width = table.targets.length
  const own = table.rows.length
  const parts: ScreenTable[] = [table]
  const columns: number[] = []
  for (const followUp of followUps) {
    const { name, chain } = followUp.target
    const column = table.targets.findIndex((one) => one.name === name && one.chain === chain)
    if (column === -1) continue
    const part = await readTable(db, followUp.id, [followUp.target], { gone })
    const cells = Buffer.alloc(part.rows.length * width * CELL_BYTES)
    for (const row of part.rows.keys()) {
      copyCell({ cells: part.cells, place: row }, { cells, place: row * width + column })
      columns.push(column)
    }
    parts.push({ ...part, cells })
  }
  const { structure } = table
  return {
    table: {
      ...table,
      rows: parts.flatMap(({ rows }) => rows),
      cells: Buffer.concat(parts.map(({ cells }) => cells)),
      missing: parts.flatMap(({ missing }) => missing),
      versions: parts.flatMap(({ versions }) => versions),
      structure: structure && ((row, at) => (row < own ? structure(row, at) : withoutPose)),
    },
    isPair: (place) => {
      const row = Math.floor(place / width)
      return row < own || place % width === columns[row - own]
    },
    key: [id, ...followUps.map((one) => one.id)].join(' '),
  }
}

/** Whether the order or one of its follow-ups is in progress. */
export async function isInProgress(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select exists (
    select from orders where (id = ${id} or screen_id = ${id}) and status in ('QUEUED', 'RUNNING')) as is`.execute(
    trx,
  )
  return rows[0]?.is === true
}
