/** The admin user list with 100,000 users on the embedded database, over HTTP, and an export at the same time. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// oxlint-disable-next-line no-restricted-imports -- no endpoint creates a hundred thousand users
import { openDatabase } from '../apps/server/src/platform/db/open.ts'
// oxlint-disable-next-line no-restricted-imports -- as above
import { openLog } from '../apps/server/src/platform/log.ts'
import { startProduct } from '../e2e/start-product.ts'
import { type Figure, limited, medianMs } from './figure.ts'

const USERS = 100_000
/** The largest list has the square of the smallest list's users, so its logarithm is twice as large. */
const [FEW, MANY, LOGARITHMS] = [1000, 1_000_000, 2]
/** Time that does not depend on the list. */
const NOISE_MS = 5
const ROUNDS = 15
const LIMIT_MS = 100
const WAIT_LIMIT_MS = 500
const administrator = { username: 'bench@lab.example', password: 'a password for the bench' }

const SLOWEST = 'slowest of eight pages and searches'

export async function measureAdmin(): Promise<Figure[]> {
  return withUsers(USERS, async (get) => {
    const slowest = await measureSlowest(get, USERS)
    return [limited(`100,000 users: ${SLOWEST}`, slowest, 'ms', LIMIT_MS), await measureWait(get)]
  })
}

/** Whether response time grows with the logarithm of the number of users. */
export async function measureGrowth(): Promise<Figure[]> {
  const few = await withUsers(FEW, (get) => measureSlowest(get, FEW))
  const many = await withUsers(MANY, (get) => measureSlowest(get, MANY))
  const name = `twice that of 1,000 users plus ${NOISE_MS} ms`
  const against = { name, value: LOGARITHMS * few + NOISE_MS }
  return [{ name: `1,000,000 users: ${SLOWEST}`, measured: many, unit: 'ms', against, isAim: true }]
}

/** Returns the figures for a product with this many users. */
async function withUsers<T>(users: number, measure: (get: Get) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-bench-admin-'))
  await addUsers(folder, users)
  const product = await startProduct({
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    ADMIN_EMAIL: administrator.username,
    ADMIN_PASSWORD: administrator.password,
  })
  try {
    return await measure(await signIn(product.url))
  } finally {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Query = (round: number) => string

/** Lists with this many users; each request reads a different page, so no response repeats the one before. */
const lists: ((users: number) => Query)[] = [
  () => (round) => `page=${round + 2}`,
  (users) => (round) => `page=${pagesOf(users) / 2 + round}`,
  (users) => (round) => `page=${pagesOf(users) - round}`,
  () => (round) => `page=${round + 2}&sort=name&order=desc`,
  (users) => (round) => `page=${pagesOf(users) / 2 + round}&sort=credits`,
  (users) => (round) => `page=1&search=last${users - 1000 + round}`,
  () => (round) => `page=${round + 2}&search=example&sort=name`,
  () => (round) => `page=1&search=nobody${round}`,
]

const pagesOf = (users: number) => users / 10

type Get = (path: string) => Promise<Response>

async function measureSlowest(get: Get, users: number): Promise<number> {
  const medians: number[] = []
  for (const query of lists) medians.push(await measureList(get, query(users)))
  return Math.max(...medians)
}

async function measureList(get: Get, query: Query): Promise<number> {
  return medianMs(ROUNDS, async (round) => {
    const answer = await get(`/admin/users?${query(round)}`)
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer.json()
  })
}

/** During an export of all users, other requests use the same connection. */
async function measureWait(get: Get): Promise<Figure> {
  let isDone = false
  const exported = get('/admin/database/export/users').then(async (answer) => {
    for await (const piece of answer.body ?? []) void piece
    isDone = true
  })
  let longest = 0
  while (!isDone) {
    const started = performance.now()
    await (await get('/admin/users?page=2')).json()
    longest = Math.max(longest, performance.now() - started)
  }
  await exported
  const name = 'longest delay for others during export of 100,000 users'
  return limited(name, longest, 'ms', WAIT_LIMIT_MS)
}

async function signIn(url: string): Promise<Get> {
  const answer = await fetch(`${url}/admin/auth/token`, {
    method: 'POST',
    body: new URLSearchParams(administrator),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  return (path) => fetch(`${url}${path}`, { headers })
}

async function addUsers(dataDir: string, users: number): Promise<void> {
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: openLog('warn') })
  const client = await database.pool.connect()
  await client.query(`insert into users (email, name, credits, created_at)
    select 'person' || i::bigint * 7919 % ${users} || '@lab' || i % 97 || '.example.org',
      'First' || i % 1000 || ' Last' || i, i % 500, now()
    from generate_series(1, ${users}) i`)
  await client.query('vacuum analyze users')
  client.release()
  await database.close()
}
