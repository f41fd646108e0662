/** Limits on tables of screens that are read at the same time, and on open event streams. */
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { STREAMS_MAX } from './event-routes.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { type TestScreenUser } from '#test/open-test-user.ts'
import { readInput } from './screen-table.ts'
import { openTableReaders, TABLES_MAX } from './table-readers.ts'

let searches = 0
let found = Promise.withResolvers<void>()
const parsingWorkers = {
  readMolecules: () => Promise.reject(new Error('not asked for')),
  readTarget: () => Promise.reject(new Error('not asked for')),
  readFingerprints: () => Promise.reject(new Error('not asked for')),
  searchStructure: () => Promise.reject(new Error('not asked for')),
  writeMolblocks: () => Promise.reject(new Error('not asked for')),
  findCore: () => Promise.reject(new Error('not asked for')),
  drawCompounds: () => Promise.reject(new Error('not asked for')),
  describeCompounds: async (_: string, smiles: string[]) => smiles.map(() => null),
  checkPatterns: async (_: string, smarts: string[]) => smarts.map(() => null),
  matchPatterns: async (_: string, { smiles }: { smiles: string[] }) => smiles.map(() => []),
  async matchSubstructure(_user: string, { smiles }: { smiles: string[] }) {
    searches += 1
    await found.promise
    return { ok: true as const, value: smiles.map(() => true) }
  },
}

const t = await openTestPredictions({ parsingWorkers, tableWaitMsMax: 50 })
const users: { user: TestScreenUser; id: string }[] = []
for (let count = 0; count < 4; count += 1) {
  const user = await t.addUser({ credits: 500, targets: 2, compounds: 3 })
  users.push({ user, id: (await user.started()).id })
}
afterAll(() => t.close())

function nth(at: number) {
  const one = users[at]
  if (one === undefined) throw new Error('there is no such user')
  return one
}

beforeEach(() => {
  searches = 0
  found = Promise.withResolvers()
})

/** A page whose table waits for `found`. Each uses its own search, because a cached one reads no table. */
let asked = 0
const search = (at: number) => {
  const { user, id } = nth(at)
  return user.call('GET', `/screens/${id}/results?smarts=${'C'.repeat(++asked)}`)
}

test('a user reads three tables at a time; the fourth request gets Retry-After', async () => {
  const reading = Array.from({ length: TABLES_MAX.perUser }, () => search(0))
  await vi.waitFor(() => expect(searches).toBe(TABLES_MAX.perUser), 50_000)
  const { user, id } = nth(0)
  for (const path of ['results?sort=affinity', 'matrix', 'results.csv', 'results.sdf']) {
    const refused = await user.call('GET', `/screens/${id}/${path}`)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5'])
    expect(refused.json().message).toContain('3 tables are already being read for you')
  }
  // A page in input order reads only its own blocks.
  expect((await user.call('GET', `/screens/${id}/results`)).statusCode).toBe(200)
  const other = nth(1)
  expect((await other.user.call('GET', `/screens/${other.id}/matrix`)).statusCode).toBe(200)
  found.resolve()
  for (const answer of await Promise.all(reading)) expect(answer.statusCode).toBe(200)
  expect((await user.call('GET', `/screens/${id}/results.csv`)).statusCode).toBe(200)
})

test('at most eight tables are read at a time; the ninth request gets 503', async () => {
  const reading = [0, 0, 0, 1, 1, 1, 2, 2].map(search)
  await vi.waitFor(() => expect(searches).toBe(TABLES_MAX.all), 50_000)
  const refused = await search(3)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5'])
  found.resolve()
  for (const answer of await Promise.all(reading)) expect(answer.statusCode).toBe(200)
  expect((await search(3)).statusCode).toBe(200)
})

test('slow readers of downloads leave room for pages', async () => {
  const readers = openTableReaders(0)
  const gone = new AbortController().signal
  const held = Promise.withResolvers<string>()
  const read = (kind: 'page' | 'download', userId: string) =>
    readers[kind]({ userId, gone }, () => held.promise)
  const downloads = ['a', 'b', 'c', 'd', 'e'].map((userId) => read('download', userId))
  await expect(read('download', 'f')).rejects.toMatchObject({ code: 'unavailable' })
  const pages = ['a', 'f', 'g'].map((userId) => read('page', userId))
  held.resolve('read')
  expect(new Set(await Promise.all([...downloads, ...pages]))).toEqual(new Set(['read']))
})

test('reading a table stops when no caller waits for it any more', async () => {
  const { id } = nth(0)
  const caller = new AbortController()
  const read = t.db.selectFrom.bind(t.db)
  const pages = vi.spyOn(t.db, 'selectFrom').mockImplementation(((table: 'blocks') => {
    caller.abort(new Error('hung up'))
    return read(table)
  }) as typeof read)
  // One row per statement.
  const targets = Array.from({ length: 20_000 }, () => ({ name: 'T1', chain: 'A' }))
  const reading = readInput(t.db, { id, targets }, { gone: caller.signal })
  await expect(reading).rejects.toThrow('hung up')
  expect(pages).toHaveBeenCalledTimes(1)
  pages.mockRestore()
})

test('a caller who disconnects while waiting for a table leaves the queue', async () => {
  const readers = openTableReaders(600_000)
  const held = Promise.withResolvers<string>()
  const staying = new AbortController().signal
  const first = Array.from({ length: TABLES_MAX.perUser }, () =>
    readers.page({ userId: 'ada', gone: staying }, () => held.promise),
  )
  const caller = new AbortController()
  const work = vi.fn<() => Promise<string>>(async () => 'read')
  const abandoned = readers.page({ userId: 'ada', gone: caller.signal }, work)
  caller.abort(new Error('hung up'))
  await expect(abandoned).rejects.toThrow('hung up')
  held.resolve('read')
  await Promise.all(first)
  expect(work).not.toHaveBeenCalled()
})

test('a user has at most ten event streams open', async () => {
  const { user, id } = nth(0)
  const origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  const callers = new AbortController()
  const open = (signal?: AbortSignal) =>
    fetch(`${origin}/screens/${id}/events`, {
      headers: user.headers,
      ...(signal && { signal }),
    })
  const streams = await Promise.all(
    Array.from({ length: STREAMS_MAX.perUser }, () => open(callers.signal)),
  )
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
  const refused = await open()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  callers.abort()
  // Disconnecting makes room.
  await vi.waitFor(async () => {
    const one = new AbortController()
    const { status } = await open(one.signal)
    one.abort()
    expect(status).toBe(200)
  }, 50_000)
})
