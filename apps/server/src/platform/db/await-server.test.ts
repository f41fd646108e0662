import { expect, test } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { awaitServer } from './await-server.ts'

const log = openLog('silent')
const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
  code: 'ECONNREFUSED',
  syscall: 'connect',
})
const starting = Object.assign(new Error('the database system is starting up'), { code: '57P03' })
const wrongPassword = Object.assign(new Error('password authentication failed'), { code: '28P01' })

function serverThatAnswers(...errors: Error[]) {
  const asked: (Error | null)[] = []
  return {
    asked,
    ask: async () => {
      const error = errors[asked.length] ?? null
      asked.push(error)
      if (error !== null) throw error
    },
  }
}

test('waits for a server that is missing at first, then starting', async () => {
  const server = serverThatAnswers(refused, refused, starting)
  await awaitServer(server.ask, { waitMs: 60_000, log, pauseMsMin: 1 })
  expect(server.asked).toEqual([refused, refused, starting, null])
})

test('an error that waiting cannot fix is reported immediately', async () => {
  const server = serverThatAnswers(wrongPassword)
  await expect(awaitServer(server.ask, { waitMs: 60_000, log })).rejects.toBe(wrongPassword)
  expect(server.asked).toHaveLength(1)
})

test('gives up on a server that is still unreachable at the timeout', async () => {
  const server = serverThatAnswers(...Array.from({ length: 50 }, () => refused))
  await expect(awaitServer(server.ask, { waitMs: 0, log })).rejects.toBe(refused)
})
