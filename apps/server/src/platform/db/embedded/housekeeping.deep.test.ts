import { Kysely, PostgresDialect } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import type { Log } from '#server/platform/log.ts'
import { startHousekeeping } from './housekeeping.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('failed housekeeping is logged and repeated later', async () => {
  vi.useFakeTimers()
  const connect = () => Promise.reject(new Error('disk full'))
  const pool = { connect, end: async () => {}, options: {} }
  const error = vi.fn<Log['error']>()
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const housekeeping = startHousekeeping(db, { error })
  await vi.advanceTimersByTimeAsync(3 * 60_000)
  housekeeping.stop()
  await vi.advanceTimersByTimeAsync(3 * 60_000)
  expect(error.mock.calls).toHaveLength(3)
  expect(error.mock.calls[0]?.[0]).toMatchObject({ err: { message: 'disk full' } })
})
