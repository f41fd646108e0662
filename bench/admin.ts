/** The administrators' list among 100,000 users on the embedded database, over HTTP, and an export beside it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// oxlint-disable-next-line no-restricted-imports -- no call makes a hundred thousand users
import { openDatabase } from '../apps/server/src/platform/db/open.ts'
// oxlint-disable-next-line no-restricted-imports -- as above
import { openLog } from '../apps/server/src/platform/log.ts'
import { startProduct } from '../e2e/start-product.ts'
import { type Figure, medianMs } from './figure.ts'

const USERS = 100_000
const ROUNDS = 15
const LIMIT_MS = 100
const WAIT_LIMIT_MS = 500
const administrator = { username: 'bench@lab.example', password: 'a password for the bench' }

export async function measureAdmin(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-bench-admin-'))
  await addUsers(folder)
  const product = await startProduct({
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    ADMIN_EMAIL: administrator.username,
    ADMIN_PASSWORD: administrator.password,
  })
  try {
    const get = await signIn(product.url)
    const figures = []
    for (const [name, query] of lists) figures.push(await measureList(get, name, query))
    return [...figures, await measureWait(get)]
  } finally {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Pages in different places, so that no answer is the one before. */
const lists: [name: string, query: (round: number) => string][] = [
  ['first page', (round) => `page=${round + 2}`],
  ['page in the middle', (round) => `page=${5000 + round}`],
  ['last page', (round) => `page=${10_000 - round}`],
  ['page by name, descending', (round) => `page=${round + 2}&sort=name&order=desc`],
  ['page in the middle by credits', (round) => `page=${5000 + round}&sort=credits`],
  ['search that finds a few', (round) => `page=1&search=last${9000 + round}`],
  ['search that finds nearly all', (round) => `page=${round + 2}&search=example&sort=name`],
  ['search that finds nobody', (round) => `page=1&search=nobody${round}`],
]

type Get = (path: string) => Promise<Response>

async function measureList(
  get: Get,
  name: string,
  query: (round: number) => string,
): Promise<Figure> {
  const read = async (round: number) => {
    const answer = await get(`/admin/users?${query(round)}`)
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer.json()
  }
  return {
    name: `100,000 users: ${name}`,
    measured: await medianMs(ROUNDS, read),
    unit: 'ms',
    against: { name: 'limit', value: LIMIT_MS },
  }
}

/** While all users are exported, others go on using the one connection. */
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
  return {
    name: 'longest wait of others while 100,000 users are exported',
    measured: longest,
    unit: 'ms',
    against: { name: 'limit', value: WAIT_LIMIT_MS },
  }
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

async function addUsers(dataDir: string): Promise<void> {
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: openLog('warn') })
  const { pool } = database
  await pool.query(`insert into users (email, name, credits, created_at)
    select 'person' || i * 7919 % ${USERS} || '@lab' || i % 97 || '.example.org',
      'First' || i % 1000 || ' Last' || i, i % 500, now()
    from generate_series(1, ${USERS}) i`)
  await pool.query('vacuum analyze users')
  await database.close()
}
