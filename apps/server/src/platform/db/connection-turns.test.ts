import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { askFor, giveTurns } from './connection-turns.ts'
import { isDatabaseOutage } from './outages.ts'

const PATIENT = 240_000

/** A pool whose connections open immediately. */
function openPool(connections: number, waitMsMax = PATIENT) {
  const pool = {
    connect: async () => ({ release: () => undefined }) as unknown as pg.PoolClient,
  } as Pick<pg.Pool, 'connect'>
  giveTurns(pool, { connections, waitMsMax })
  return pool
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
  expect(pool).toHaveProperty('waitingCount', 1)
  one.release()
  await third
})

test('connecting with a callback, as a pool does for its own queries, takes a turn as well', async () => {
  const pool = openPool(1)
  const held = await pool.connect()
  const told: string[] = []
  pool.connect((error, client) => {
    told.push(error === undefined ? 'connected' : 'refused')
    client?.release()
  })
  await new Promise(setImmediate)
  expect(told).toEqual([])
  held.release()
  const again = await pool.connect()
  expect(told).toEqual(['connected'])
  again.release()
})

test('waiting for a turn counts towards the connection timeout; a connection that comes too late is returned', async () => {
  const late = Promise.withResolvers<pg.PoolClient>()
  let released = 0
  const client = { release: () => (released += 1) } as unknown as pg.PoolClient
  const pool = { connect: () => late.promise } as unknown as Pick<pg.Pool, 'connect'>
  giveTurns(pool, { connections: 1, waitMsMax: 1 })
  expect(isDatabaseOutage(await pool.connect().catch((caught: unknown) => caught))).toBe(true)
  late.resolve(client)
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
  const pool = {
    connect: () => Promise.reject(new Error('refused')),
  } as Pick<pg.Pool, 'connect'>
  giveTurns(pool, { connections: 1, waitMsMax: PATIENT })
  await expect(pool.connect()).rejects.toThrow('refused')
  await expect(pool.connect()).rejects.toThrow('refused')
})
