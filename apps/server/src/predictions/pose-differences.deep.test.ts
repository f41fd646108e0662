/**
 * Tests the difference from other compounds of a screen as part of structure-adjusted predictions. The SMILES of row n
 * is n atoms long, and compounds differ by this length.
 */
import { ScreenRow } from '@pkdex/contract'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ManyAnswer } from '#server/poses/service.ts'
import { compareByLength, openTestPredictions } from '#test/open-test-predictions.ts'
import type { TestScreenUser } from '#test/open-test-user.ts'
import { noStructures } from './no-structures.ts'
import { orderNumber } from './screen-table.ts'

const structures = {
  ...noStructures,
  poses: {
    ...noStructures.poses,
    findReferences: async () => ({ references: [{ id: 'LIG 1 A', heavyAtoms: 30 }], own: null }),
  },
  weights: { pose: 0.1, similarity: 0.2, difference: 0.01 },
}
const t = await openTestPredictions({ creditsPerPrediction: 0.001, structures })
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

const COMPOUNDS = 60
/** The longest compound cannot be placed. */
const tooLong = 'C'.repeat(COMPOUNDS)
const reason = 'Too complex to place.'

/** Every second compound is more similar to the ligand. */
async function placeTestRows({ smiles }: { smiles: string[] }): Promise<ManyAnswer> {
  const place = (one: string) => ({
    relative: -1,
    similarity: one.length % 2,
    keepsStereo: true,
    x: Float64Array.of(1, 2, 3),
  })
  return { compounds: smiles.map((one) => (one === tooLong ? reason : place(one))) }
}

/** The shift of each row, in order; null if it has no pose. */
async function shiftsOf(user: TestScreenUser, id: string): Promise<(number | null)[]> {
  const answer = await user.call('GET', `/screens/${id}/results?page_size=1000`)
  const { rows } = z.object({ rows: z.array(ScreenRow) }).parse(answer.json())
  return rows.map(({ predicted_kd: plain, structure_adjusted: adjusted }) =>
    adjusted ? adjusted.value - (plain ?? NaN) : null,
  )
}

/** Rows 1 to 59 are placed: their mean length is 30, and 30 of them are similar. */
const shift = (row: number, difference: number) =>
  0.2 * ((row % 2) - 30 / 59) + difference * (row - 30)

test('SPEC 29.22: a compound is moved by how much it differs from the mean of those placed, each compared with the same 50', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: COMPOUNDS })
  t.work()
  const id = await user.startPlacing()
  const compare = vi.fn<typeof compareByLength>(compareByLength)
  t.workPoses(placeTestRows, { compare })
  await user.untilPlaced(id)
  const shifts = await shiftsOf(user, id)
  expect(shifts).toHaveLength(COMPOUNDS)
  for (const [at, moved] of shifts.slice(0, -1).entries()) {
    expect(moved).toBeCloseTo(shift(at + 1, 0.01), 2)
  }
  expect(shifts.at(-1)).toBeNull()
  const asked = compare.mock.calls.map(([compared]) => compared)
  expect(asked.flatMap(({ smiles }) => smiles)).toHaveLength(COMPOUNDS - 1)
  const [{ anchors } = { anchors: [] }] = asked
  expect([anchors.length, anchors[0], anchors.at(-1)]).toEqual([50, 'C', tooLong])
  for (const one of asked) expect(one.anchors).toEqual(anchors)
})

test('SPEC 29.22: a run from before differences were used keeps its weights and its predictions', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: COMPOUNDS })
  t.work()
  const id = await user.startPlacing()
  // What the migration makes of such a run.
  const weights = { pose: 0.1, similarity: 0.2 }
  await t.db
    .updateTable('orders')
    .set({ pose_settings: JSON.stringify({ weights, anchors: [], request_id: '' }) })
    .where('id', '=', id)
    .execute()
  const compare = vi.fn<typeof compareByLength>(compareByLength)
  t.workPoses(placeTestRows, { compare })
  await user.untilPlaced(id)
  expect(compare).not.toHaveBeenCalled()
  const poses = await t.db
    .selectFrom('poses')
    .select(['pose', 'similarity', 'difference', 'keeps_stereo', 'x', 'reason'])
    .where('order_number', '=', orderNumber(id))
    .orderBy('row')
    .execute()
  const placed = { pose: -1, similarity: 1, difference: null, keeps_stereo: true, x: [1, 2, 3] }
  expect(poses[0]).toEqual({ ...placed, reason: null })
  expect(poses.at(-1)).toMatchObject({ pose: null, x: null, reason })
  for (const [at, moved] of (await shiftsOf(user, id)).slice(0, -1).entries()) {
    expect(moved).toBeCloseTo(shift(at + 1, 0), 2)
  }
})

test('differences that cannot be computed are tried twice, then the run ends with a note', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 5 })
  t.work()
  const id = await user.startPlacing()
  const compare = vi.fn<typeof compareByLength>(() => Promise.reject(new Error('a thread died')))
  t.workPoses(placeTestRows, { compare })
  expect(await user.untilPlaced(id)).toMatchObject({
    structure_status: 'FAILED',
    structure_message: 'Poses failed because of a server error.',
  })
  expect(compare).toHaveBeenCalledTimes(2)
})
