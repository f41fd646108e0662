/** PKDEX_PROCESSES_ROUNDS says how often processes are killed. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { openOwnPostgres } from './own-postgres.ts'
import {
  asUser,
  killSpawned,
  Refused,
  signIn,
  spawnServer,
  type SpawnedServer,
  spawnWorker,
} from './spawned-server.ts'

const ROUNDS = Number(process.env.PKDEX_PROCESSES_ROUNDS ?? 50)
const CALLERS = 8
const ALCOHOLS = 2000
/** From the moment when the balancer sends nothing more to a process until that is told to end. */
const PRE_STOP_MS = 8000
const structure = readFileSync(new URL('../../../../../samples/1hpv.pdb', import.meta.url), 'utf8')

const postgres = await openOwnPostgres()
afterAll(async () => {
  // Throws where a process has ended by itself.
  try {
    await killSpawned()
  } finally {
    await postgres?.close()
  }
}, 60_000)

test.skipIf(postgres === null)(
  'every process is restarted in turn under load, and no call fails (needs PostgreSQL on this machine)',
  async () => {
    const { apis, settings, key, database } = await openPair('rolling@example.org')
    const workers = [spawnWorker(settings), spawnWorker(settings)]
    const load = pressOn(apis, key)
    await sleep(3000)
    for (const place of [0, 1]) {
      const going = apis[place]
      // As deploy/kubernetes.yaml does: the balancer sends nothing more by the time the process is told to end.
      apis.splice(place, 1)
      await sleep(PRE_STOP_MS)
      await going?.stop()
      apis.splice(place, 0, await spawnServer(settings, 'api'))
    }
    for (const place of [0, 1]) {
      await workers[place]?.stop()
      workers[place] = spawnWorker(settings)
    }
    await sleep(3000)
    const { calls, uploaded, failures } = await load.end()
    await untilSettled(database)
    const lost = await findLost(database, uploaded)
    console.log(
      `measured: two API and two worker processes restarted in turn under ${CALLERS} callers: ${calls} calls, ${failures.length} failed, ${lost.length} of ${uploaded.length} uploads lost`,
    )
    expect(failures).toEqual([])
    expect(lost).toEqual([])
    expect(uploaded.length).toBeGreaterThan(0)
    await expectBalanced(database)
    await database.end()
    await Promise.all([...apis, ...workers].map((one) => one.stop()))
  },
)

test.skipIf(postgres === null)(
  `one of two API and two worker processes is killed at a random moment, ${ROUNDS} times: nothing acknowledged is lost, no task ends twice, no credit is off (needs PostgreSQL on this machine)`,
  async () => {
    const { apis, settings, key, database } = await openPair('killed@example.org')
    const workers = [spawnWorker(settings), spawnWorker(settings)]
    const load = pressOn(apis, key)
    let longestMs = 0
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(Math.random() * 1500)
      const place = Math.floor(Math.random() * 2)
      if (Math.random() < 0.5) {
        const [doomed] = apis.splice(place, 1)
        await doomed?.kill()
        const user = asUser(apis[0]?.url ?? '', key)
        const started = performance.now()
        await vi.waitFor(() => user.upload('drug_smiles', 'after.txt', `CCO after-${round}`), {
          timeout: 30_000,
          interval: 50,
        })
        longestMs = Math.max(longestMs, performance.now() - started)
        apis.push(await spawnServer(settings, 'api'))
      } else {
        await workers[place]?.kill()
        workers[place] = spawnWorker(settings)
      }
    }
    const { calls, uploaded, failures } = await load.end()
    await untilSettled(database)
    const lost = await findLost(database, uploaded)
    console.log(
      `measured: ${ROUNDS} kills of one of two API and two worker processes: ${calls} calls, ${failures.length} cut off or refused, ${lost.length} of ${uploaded.length} acknowledged uploads lost, the other process answered an upload after ${Math.round(longestMs)} ms at the longest`,
    )
    expect(lost).toEqual([])
    expect(uploaded.length).toBeGreaterThan(0)
    await expectBalanced(database)
    await database.end()
    await Promise.all([...apis, ...workers].map((one) => one.stop()))
  },
)

/** Two processes that answer calls, and a user with things to predict. */
async function openPair(email: string) {
  if (postgres === null) throw new Error('no server')
  const settings = {
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'fatal',
    WORKERS: '1',
    INITIAL_CREDITS: '100000',
  }
  const apis = [await spawnServer(settings, 'api'), await spawnServer(settings, 'api')]
  const url = apis[0]?.url ?? ''
  const key = await signIn(url, email)
  const user = asUser(url, key)
  await user.upload('protein_pdb', 'protease.pdb', structure)
  await user.upload('drug_smiles', 'alcohols.txt', alcohols())
  const database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  return { apis, settings, key, database }
}

/** No two alike. */
function alcohols(): string {
  const lines = Array.from({ length: ALCOHOLS }, (_, at) => {
    const bits = (at + 2).toString(2).slice(1)
    return `C${Array.from(bits, (bit) => (bit === '1' ? 'N' : 'C')).join('')}O alcohol-${at}`
  })
  return lines.join('\n')
}

/** Callers who upload and predict all the while, each time through one of `apis`, as a balancer would choose. */
function pressOn(apis: SpawnedServer[], key: string) {
  const uploaded: string[] = []
  const failures: string[] = []
  let calls = 0
  let isOver = false
  const press = async () => {
    while (!isOver) {
      const at = calls++
      const api = apis[at % apis.length]
      if (api === undefined) throw new Error('the balancer has nobody to send to')
      const user = asUser(api.url, key)
      try {
        if (at % 3 === 0) {
          const { names } = await user.upload('drug_smiles', `${at}.txt`, `CCO upload-${at}`)
          uploaded.push(...names)
        } else await user.predict('protease', `alcohol-${at % ALCOHOLS}`)
      } catch (error) {
        failures.push(error instanceof Refused ? error.message : reasonOf(error))
        await sleep(20)
      }
    }
  }
  const callers = Array.from({ length: CALLERS }, press)
  return {
    async end() {
      isOver = true
      await Promise.all(callers)
      return { calls, uploaded, failures }
    },
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? String(error) : `${error}: ${reasonOf(error.cause)}`
}

async function untilSettled(database: pg.Client): Promise<void> {
  const open = "select from tasks where status in ('PENDING', 'STARTED')"
  await vi.waitFor(async () => expect((await database.query(open)).rowCount).toBe(0), {
    timeout: 300_000,
    interval: 500,
  })
}

async function findLost(database: pg.Client, uploaded: string[]): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>('select name from compounds')
  const kept = new Set(rows.map(({ name }) => name))
  return uploaded.filter((name) => !kept.has(name))
}

/** Each task has its charge, its refund exactly where it failed, and a balance is the sum of its ledger. */
async function expectBalanced(database: pg.Client): Promise<void> {
  const wrong = await database.query(`
    select tasks.id from tasks
    left join ledger on ledger.task_id = tasks.id
    group by tasks.id
    having sum(ledger.delta) is distinct from
      (case when tasks.status = 'FAILURE' then 0 else -tasks.credits_charged end)`)
  expect(wrong.rows).toEqual([])
  const off = await database.query(`
    select users.id from users join ledger on ledger.user_id = users.id
    group by users.id having sum(ledger.delta) <> users.credits`)
  expect(off.rows).toEqual([])
}
