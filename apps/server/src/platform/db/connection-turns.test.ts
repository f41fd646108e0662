import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { askFor, openTurns } from './connection-turns.ts'
import { isDatabaseOutage } from './outages.ts'

const PATIENT = 240_000

/** A pool whose connections open immediately. */
function openPool(
  connections: number,
  waitMsMax = PATIENT,
  connect: (client: pg.PoolClient) => Promise<pg.PoolClient> = async (client) => client,
) {
  const events = new EventEmitter()
  const open = () => {
    const client = { release: () => events.emit('release', undefined, client) }
    return connect(client as unknown as pg.PoolClient)
  }
  const pool = Object.assign(events, { connect: open }) as unknown as pg.Pool
  return openTurns(pool, { connections, waitMsMax })
}

test('heavy and light users alternate, and no user gets another’s turn', async () => {
  const pool = openPool(1)
  const order: string[] = []
  const ask = (who: string) =>
    askFor(who, async () => {
      const client = await pool.connect()
      order.push(who)
      client.release()
    })
  const held = await pool.connect()
  const all = [
    ...Array.from({ length: 6 }, () => ask('greedy')),
    ask('other'),
    ask('third'),
    ask('other'),
  ]
  held.release()
  await Promise.all(all)
  expect(order.slice(0, 5)).toEqual(['greedy', 'other', 'third', 'greedy', 'other'])
  expect(order.slice(5)).toEqual(Array(4).fill('greedy'))
})

test('all connections are used, and each is passed on once', async () => {
  const pool = openPool(2)
  const [one] = [await pool.connect(), await pool.connect()]
  const third = pool.connect()
  let isThere = false
  void third.then(() => (isThere = true))
  await new Promise(setImmediate)
  expect(isThere).toBe(false)
  expect(pool.counts()).toMatchObject({ waitedFor: 1 })
  one.release()
  await third
})

test('waiting for a turn counts towards the connection timeout; a connection that comes too late is returned', async () => {
  const late = Promise.withResolvers<void>()
  let released = 0
  const pool = openPool(1, 1, async (client) => {
    await late.promise
    return Object.assign(client, { release: () => (released += 1) })
  })
  expect(isDatabaseOutage(await pool.connect().catch((caught: unknown) => caught))).toBe(true)
  late.resolve()
  await vi.waitFor(() => expect(released).toBe(1))
})

test('waiting too long reports an outage and leaves the queue', async () => {
  const pool = openPool(1, 1)
  const held = await pool.connect()
  const error = await pool.connect().catch((caught: unknown) => caught)
  expect(isDatabaseOutage(error)).toBe(true)
  held.release()
  const again = await pool.connect()
  again.release()
})

test('a failed connection does not cost a turn', async () => {
  const pool = openPool(1, PATIENT, () => Promise.reject(new Error('refused')))
  await expect(pool.connect()).rejects.toThrow('refused')
  await expect(pool.connect()).rejects.toThrow('refused')
})
