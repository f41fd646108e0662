import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '#server/platform/db/open-test-database.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Acknowledged, drain, findLosses, wordTasks } from './acknowledged.ts'
import {
  asUser,
  killSpawned,
  Refused,
  signIn,
  spawnServer,
  type SpawnedServer,
} from './spawned-server.ts'
import { inDatabaseOf } from './in-database.ts'
import { makeMolecules, makeRandom } from './made-input.ts'

const ROUNDS = Number(process.env.PKDEX_CRASH_ROUNDS ?? 6)
const seed = Number(process.env.PKDEX_CRASH_SEED ?? Math.floor(Math.random() * 1e6))
/** A round ends after this many acknowledgements and a moment, so that a slow machine tests as much. */
const ROUND_ANSWERS_MAX = 30
const MOMENT_MS_MAX = 250
const ROUND_MS_MAX = 8000
const CLIENTS = 6
const INITIAL_CREDITS = 100_000

const structure = readFileSync(new URL('../../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'pkdex-crash-'))
const onServer = process.env.PKDEX_TEST_DATABASE_URL ? await openTestDatabase() : null
afterAll(async () => {
  await killSpawned()
  await onServer?.close()
  rmSync(folder, { recursive: true, force: true })
})

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
    await drain(server, key, done, { start, inDatabase })
    report(done, await inDatabase(wordTasks))
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

function inDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  if (onServer) return work(onServer.db)
  return inDatabaseOf({ databaseUrl: undefined, dataDir: folder })(work)
}

function report(done: Acknowledged, tasks: string): void {
  console.log(
    `measured: kill -9, seed ${seed}, ${ROUNDS} rounds: ${done.compounds.length} compounds uploaded, ` +
      `${done.answered.length} predictions answered, ${done.taskIds.length} tasks acknowledged; ` +
      tasks,
  )
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
