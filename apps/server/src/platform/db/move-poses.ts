/** Moves the packed poses of versions before 0058 into rows, some blocks at a time, and drops their tables at the end. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Move } from './move-in-slices.ts'
import type { Trx } from './schema.ts'

/** Of at most 25 poses each. */
const BLOCKS_PER_SLICE = 20

export const movePoses: Move = {
  what: 'poses',
  isLeft: sql<boolean>`to_regclass('structure_blocks') is not null`,
  count: sql<number>`(select count(*)::int from structure_blocks)`,
  moveSlice,
  async finish(trx) {
    await sql`update order_targets set placed = centre.placed, pose_mean = centre.pose,
        similarity_mean = centre.similarity, difference_mean = centre.difference
      from (select order_number, place, count(*)::int as placed, avg(pose) as pose, avg(similarity) as similarity,
          avg(difference) as difference
        from poses where reason is null group by 1, 2) as centre join orders on number = order_number
      where order_targets.order_id = orders.id and order_targets.place = centre.place
        and not exists (select from blocks where blocks.order_id = orders.id and lane = 'pose' and status = 'WAITING')`.execute(
      trx,
    )
    await sql`drop table structure_blocks, structure_runs`.execute(trx)
  },
}

type OldBlock = {
  order_id: string
  number: number
  place: number
  block: number
  first_row: number
  results: Buffer | null
  poses: Buffer | null
}

/** Blocks of a screen whose predictions have not ended are made when they end. */
async function moveSlice(trx: Trx): Promise<number> {
  const { rows: blocks } = await sql<OldBlock & { is_made: boolean }>`
    select order_id, number, place, block, first_row, results, poses, run.status <> 'QUEUED' as is_made
    from structure_blocks join structure_runs as run using (order_id) join orders on orders.id = order_id
    order by order_id, place, block limit ${BLOCKS_PER_SLICE}`.execute(trx)
  for (const block of blocks) {
    const { order_id, place, block: at } = block
    const which = sql`order_id = ${order_id} and place = ${place} and block = ${at}`
    if (block.is_made) {
      await sql`insert into blocks (order_id, block, job_id, user_id, status, first_row, rows, usable, turn, lane, place)
        select order_id, (select max(blocks.block) + 1 from blocks where blocks.order_id = moved.order_id), job_id,
          user_id, status, first_row, rows, usable, turn, 'pose', place
        from structure_blocks as moved where ${which}`.execute(trx)
      await movePosesOf(trx, block)
    }
    await sql`delete from structure_blocks where ${which}`.execute(trx)
  }
  return blocks.length
}

const fromGzip = promisify(gunzip)
const PackedRows = z.array(
  z.union([
    z.null(),
    z.string(),
    z.tuple([z.number(), z.number(), z.boolean(), z.number(), z.number().optional()]),
  ]),
)

async function movePosesOf(
  trx: Trx,
  { number, place, first_row, results, poses }: OldBlock,
): Promise<void> {
  if (results === null || poses === null) return
  const packed = PackedRows.parse(JSON.parse((await fromGzip(results)).toString('utf8')))
  const readNext = readCoordinates(await fromGzip(poses))
  const rows = packed.flatMap((found, at) => {
    if (found === null) return []
    const key = { order_number: number, row: first_row + at, place }
    if (typeof found === 'string') return { ...key, reason: found }
    const [pose, similarity, keeps_stereo, atoms, difference = null] = found
    return { ...key, pose, similarity, keeps_stereo, difference, x: readNext(atoms) }
  })
  if (rows.length > 0) await trx.insertInto('poses').values(rows).execute()
}

const STEPS_PER_ANGSTROM = 100

/** Two-byte steps from an origin, which comes first, in whole Å. */
function readCoordinates(bytes: Buffer): (atoms: number) => number[] {
  const origin = [0, 1, 2].map((axis) => bytes.readInt16LE(2 * axis))
  let at = 6
  return (atoms) =>
    Array.from({ length: 3 * atoms }, (_, place) => {
      const step = bytes.readInt16LE(at)
      at += 2
      return (origin[place % 3] ?? 0) + step / STEPS_PER_ANGSTROM
    })
}
