/** The clock is set by a day while a screen runs: no block waits until it has caught up, none is lost, none is refunded. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestScreens, type TestScreens, type TestScreenUser } from './open-test-screens.ts'

let t: TestScreens
beforeAll(async () => {
  t = await openTestScreens()
})
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

/** Three blocks. */
const COMPOUNDS = 600

/** As screens and jobs look that were written before the clock was set, back by a day (1) or forward (-1). */
async function setClock(back: 1 | -1): Promise<void> {
  const day = sql`${back}::int * interval '1 day'`
  await sql`update pgboss.job set start_after = start_after + ${day},
    created_on = created_on + ${day}, started_on = started_on + ${day},
    heartbeat_on = heartbeat_on + ${day}, keep_until = keep_until + ${day}`.execute(t.db)
  await sql`update screens set created_at = created_at + ${day},
    started_at = started_at + ${day}`.execute(t.db)
}

async function expectComplete(user: TestScreenUser, id: string): Promise<void> {
  const ended = await user.untilEnded(id)
  const whole = { status: 'DONE', done: COMPOUNDS, credits_charged: COMPOUNDS, message: null }
  expect(ended).toMatchObject(whole)
  const answer = await user.call('GET', `/screens/${id}/results?page_size=1000`)
  const { rows } = answer.json<{ rows: { predicted_kd: number | null }[] }>()
  expect(rows).toHaveLength(COMPOUNDS)
  expect(rows.every(({ predicted_kd }) => predicted_kd !== null)).toBe(true)
  expect(await user.balance()).toBe(1000 - COMPOUNDS)
}

const ways: { way: string; back: 1 | -1 }[] = [
  { way: 'back', back: 1 },
  { way: 'forward', back: -1 },
]

test.each(ways)(
  'set $way, blocks that wait, and the one of a worker that has died, are predicted, not in a day',
  async ({ back }) => {
    const user = await t.addUser({ credits: 1000, targets: 1, compounds: COMPOUNDS })
    const { id } = await user.started()
    expect(await t.queue.fetch(1)).toHaveLength(1)
    await setClock(back)
    t.work()
    await expectComplete(user, id)
  },
)

test.each(ways)(
  'set $way while a block is predicted, it is kept or predicted again, and nothing is paid twice',
  async ({ back }) => {
    const user = await t.addUser({ credits: 1000, targets: 1, compounds: COMPOUNDS })
    const held = t.workHeld()
    const { id } = await user.started()
    await held.begun
    await setClock(back)
    // The sweep of another worker meets what was written before.
    expect(await t.store.failAbandoned()).toEqual([])
    held.release()
    await expectComplete(user, id)
  },
)
