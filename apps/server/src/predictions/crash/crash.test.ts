import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PredictionResult } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '#server/platform/db/open-test-database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { openLog } from '#server/platform/log.ts'
import {
  asUser,
  killSpawned,
  Refused,
  signIn,
  spawnServer,
  type SpawnedServer,
} from './spawned-server.ts'
import { makeMolecules, makeRandom } from './made-input.ts'

const ROUNDS = Number(process.env.PKDEX_CRASH_ROUNDS ?? 6)
const seed = Number(process.env.PKDEX_CRASH_SEED ?? Math.floor(Math.random() * 1e6))
/** A round ends after this many acknowledgements and a moment, so that a slow machine tests as much. */
const ROUND_ANSWERS_MAX = 30
const MOMENT_MS_MAX = 250
const ROUND_MS_MAX = 8000
const CLIENTS = 6
const DRAIN_MS_MAX = 180_000
/** Longer than the worker takes from one sweep to the next. */
const SWEEP_MS = 6500
const INITIAL_CREDITS = 100_000

const structure = readFileSync(new URL('../../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'pkdex-crash-'))
const onServer = process.env.PKDEX_TEST_DATABASE_URL ? await openTestDatabase() : null
afterAll(async () => {
  await killSpawned()
  await onServer?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What the server said was done: none of it may be lost. */
type Acknowledged = {
  compounds: string[]
  taskIds: string[]
  answered: { compound: string; predictedKd: number }[]
}

test(
  `SPEC 15.10: kill -9 at random moments, ${ROUNDS} rounds: nothing acknowledged is lost, each task ends once, each failure is refunded once`,
  { timeout: 600_000 + ROUNDS * 30_000 },
  async () => {
    const random = makeRandom(seed)
    const done: Acknowledged = { compounds: [], taskIds: [], answered: [] }
    let server = await start()
    const key = await signIn(server.url, 'crash@example.org')
    const user = asUser(server.url, key)
    await user.upload('protein_pdb', 'protease.pdb', structure)
    done.compounds.push(...(await user.upload('drug_smiles', 'first.txt', molecules(400))).names)
    for (let round = 1; round <= ROUNDS; round += 1) {
      const clients = Array.from({ length: CLIENTS }, (_, client) => client)
      const working = Promise.all(
        clients.map((client) => work(server, key, { round, client, random, done })),
      )
      // Every other round lives until its worker works.
      const count = round % 2 === 0 ? countPredicted : countAnswers
      await untilMore(() => count(done), Math.floor(random() * ROUND_ANSWERS_MAX))
      await pause(random() * MOMENT_MS_MAX)
      await server.kill()
      await working
      if (round === Math.ceil(ROUNDS / 2)) await inDatabase(cancelJobs)
      server = await start()
    }
    await drain(server, key, done)
    expect(await inDatabase((db) => findLosses(db, done))).toEqual([])
    expect(countAnswers(done), 'too little happened').toBeGreaterThan(ROUNDS * 3)
  },
)

function start(): Promise<SpawnedServer> {
  return spawnServer({
    ...(onServer?.source.kind === 'server'
      ? { DATABASE_URL: onServer.source.url }
      : { DATA_DIR: folder }),
    INITIAL_CREDITS: String(INITIAL_CREDITS),
    LOG_LEVEL: 'warn',
    WORKERS: '1',
  })
}

type Work = { round: number; client: number; random: () => number; done: Acknowledged }

/** Uploads and predicts until the server is gone, and notes what was acknowledged. */
async function work(server: SpawnedServer, key: string, { round, client, random, done }: Work) {
  const user = asUser(server.url, key)
  for (let turn = 0; ; turn += 1) {
    const compound = done.compounds[Math.floor(random() * done.compounds.length)]
    try {
      if (client === 0 || compound === undefined) {
        const name = `round-${round}-client-${client}-${turn}`
        done.compounds.push(
          ...(await user.upload('drug_smiles', `${name}.txt`, molecules(10))).names,
        )
        await pause(50)
        continue
      }
      const answer = await user.predict('protease', compound)
      if ('task_id' in answer) done.taskIds.push(answer.task_id)
      else done.answered.push({ compound, predictedKd: answer.predicted_kd })
    } catch (error) {
      if (error instanceof Refused) throw error
      return
    }
  }
}

let moleculesMade = 0

/** Each is another one, because what is known of a molecule costs nothing under any name: branches of an alcohol count in twos. */
function molecules(count: number): string {
  const lines = makeMolecules(moleculesMade, count)
  moleculesMade += count
  return lines
}

function countAnswers({ compounds, taskIds, answered }: Acknowledged): number {
  return compounds.length / 10 + taskIds.length + answered.length
}

function countPredicted({ answered }: Acknowledged): number {
  return answered.length
}

async function untilMore(count: () => number, more: number): Promise<void> {
  const wanted = count() + more
  const deadline = Date.now() + ROUND_MS_MAX
  while (count() < wanted && Date.now() < deadline) await pause(10)
}

/** What an operator might do, or a bug: jobs go away that tasks wait for. */
async function cancelJobs(db: Database): Promise<void> {
  const jobs = sql`update pgboss.job set state = 'cancelled' where name = 'predict' and state < 'completed'`
  await jobs.execute(db)
}

async function inDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  if (onServer) return work(onServer.db)
  const log = openLog('silent')
  const opened = await openDatabase({ databaseUrl: undefined, dataDir: folder, log })
  try {
    return await work(opened.db)
  } finally {
    await opened.close()
  }
}

/** Lets the server work until every task has ended, and stops it. */
async function drain(last: SpawnedServer, key: string, done: Acknowledged) {
  const deadline = Date.now() + DRAIN_MS_MAX
  await untilEnded(last, key, done.taskIds, deadline)
  for (let server = last; ; server = await start()) {
    await pause(SWEEP_MS)
    await server.stop()
    // Tasks whose request was cut off are nobody's to poll, and may need a server for longer.
    if ((await inDatabase(hasNoOpenTasks)) || Date.now() > deadline) return
  }
}

async function untilEnded(server: SpawnedServer, key: string, taskIds: string[], deadline: number) {
  const user = asUser(server.url, key)
  const open = new Set(taskIds)
  while (open.size > 0) {
    for (const taskId of open) {
      const { status } = await user.task(taskId)
      if (status !== 'SUCCESS' && status !== 'FAILURE') break
      open.delete(taskId)
    }
    if (Date.now() > deadline) throw new Error(`${open.size} tasks did not end`)
    await pause(200)
  }
}

async function hasNoOpenTasks(db: Database): Promise<boolean> {
  const open = db.selectFrom('tasks').select('id').where('status', 'in', ['PENDING', 'STARTED'])
  return (await open.executeTakeFirst()) === undefined
}

type Task = {
  id: string
  compound_id: string | null
  status: string
  result: PredictionResult | null
}
type LedgerRow = { task_id: string | null; delta: number; balance_after: number }

/** Everything that is not as it was acknowledged, in words. */
async function findLosses(db: Database, done: Acknowledged): Promise<string[]> {
  const tasks = await db.selectFrom('tasks').selectAll().execute()
  const ledger = await db.selectFrom('ledger').selectAll().orderBy('id').execute()
  const compounds = await db.selectFrom('compounds').select(['id', 'name']).execute()
  const { credits } = await db.selectFrom('users').select('credits').executeTakeFirstOrThrow()
  report(done, tasks)
  return [
    ...findLost('compound', done.compounds, new Set(compounds.map(({ name }) => name))),
    ...findLost('task', done.taskIds, new Set(tasks.map(({ id }) => id))),
    ...findLostAnswers(done, tasks, new Map(compounds.map(({ id, name }) => [name, id]))),
    ...findWrongCharges(tasks, ledger),
    ...findWrongBalance(credits, ledger),
  ]
}

function findLost(what: string, acknowledged: string[], kept: Set<string>): string[] {
  return acknowledged.filter((one) => !kept.has(one)).map((one) => `${what} ${one} is gone`)
}

function findLostAnswers(done: Acknowledged, tasks: Task[], ids: Map<string, string>): string[] {
  const succeeded = tasks.filter(({ status }) => status === 'SUCCESS')
  const byCompound = new Map(succeeded.map((task) => [task.compound_id, task.result?.predicted_kd]))
  const twice = succeeded.length - byCompound.size
  const lost = done.answered.filter(
    ({ compound, predictedKd }) => byCompound.get(ids.get(compound) ?? '') !== predictedKd,
  )
  return [
    ...lost.map(({ compound }) => `the answer for ${compound} is gone`),
    ...(twice > 0 ? [`${twice} pairs were predicted twice`] : []),
  ]
}

/** A task ends as a success that was charged once, or as a failure that was charged and refunded once. */
function findWrongCharges(tasks: Task[], ledger: LedgerRow[]): string[] {
  const expected = new Map(
    tasks.map(({ id, status }) => [id, status === 'SUCCESS' ? '-1' : '-1,1']),
  )
  const charged = Map.groupBy(
    ledger.filter((row) => row.task_id !== null),
    (row) => row.task_id ?? '',
  )
  const open = tasks.filter(({ status }) => status !== 'SUCCESS' && status !== 'FAILURE')
  return [
    ...open.map(({ id, status }) => `task ${id} is still ${status}`),
    ...[...expected.keys(), ...charged.keys()].flatMap((id) => {
      const deltas = charged
        .get(id)
        ?.map(({ delta }) => delta)
        .join()
      return deltas === expected.get(id) ? [] : [`task ${id} was charged ${deltas}`]
    }),
  ]
}

function findWrongBalance(credits: number, ledger: LedgerRow[]): string[] {
  const sum = ledger.reduce((total, row) => total + row.delta, 0)
  const last = ledger.at(-1)?.balance_after
  return credits === sum && credits === last
    ? []
    : [`the balance is ${credits}, the ledger adds up to ${sum} and ends at ${last}`]
}

function report(done: Acknowledged, tasks: Task[]): void {
  const failed = tasks.filter(({ status }) => status === 'FAILURE').length
  console.log(
    `measured: kill -9, seed ${seed}, ${ROUNDS} rounds: ${done.compounds.length} compounds uploaded, ` +
      `${done.answered.length} predictions answered, ${done.taskIds.length} tasks acknowledged; ` +
      `${tasks.length} tasks ended, ${failed} of them failed and refunded`,
  )
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
