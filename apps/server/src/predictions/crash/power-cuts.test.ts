import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createOwnKey,
  deleteCompound,
  listCompounds,
  listOwnKeys,
  revokeOwnKey,
} from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { type Acknowledged, drain, findLosses, wordTasks } from './acknowledged.ts'
import { inDatabaseOf } from './in-database.ts'
import { makeMolecules, makeRandom } from './made-input.ts'
import { openOwnDisk } from './own-disk.ts'
import {
  answerOf,
  asUser,
  killSpawned,
  post,
  Refused,
  signIn,
  spawnServer,
} from './spawned-server.ts'

const ROUNDS = Number(process.env.PKDEX_POWER_ROUNDS ?? 2)
const seed = Number(process.env.PKDEX_POWER_SEED ?? Math.floor(Math.random() * 1e6))
/** A round ends after this many acknowledgements and a moment. */
const ROUND_ANSWERS_MAX = 40
const MOMENT_MS_MAX = 250
const ROUND_MS_MAX = 8000
const STARTING_MS_MAX = 2500
const EMAIL = 'power@example.org'

const structure = readFileSync(new URL('../../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const disk = openOwnDisk()
const dataDir = join(disk?.folder ?? '', 'data')
afterAll(async () => {
  await killSpawned()
  disk?.close()
})

/** Beside what a kill may not lose: what was made and taken away again. */
type Kept = Acknowledged & { deleted: string[]; keys: string[]; revoked: string[] }

test.skipIf(disk === null)(
  `power cuts at random moments, ${ROUNDS} rounds: nothing acknowledged is lost or comes back, each task ends once`,
  { timeout: 600_000 + ROUNDS * 60_000 },
  async () => {
    const random = makeRandom(seed)
    const done: Kept = {
      compounds: [],
      taskIds: [],
      answered: [],
      deleted: [],
      keys: [],
      revoked: [],
    }
    // While the database is made, and while the made one starts.
    for (let cut = 0; cut < 2; cut++) await cutWhileStarting(random() * STARTING_MS_MAX)
    let server = await start()
    const session = await signIn(server.url, EMAIL)
    const user = asUser(server.url, session)
    await user.upload('protein_pdb', 'protease.pdb', structure)
    done.compounds.push(...(await user.upload('drug_smiles', 'first.txt', molecules(400))).names)
    for (let round = 1; round <= ROUNDS; round++) {
      const callers = pressingCallers({ url: server.url, session, round, random, done })
      const working = Promise.all(callers)
      // Every other round lives until its worker works.
      if (round % 2 === 0) await untilMore(() => done.answered.length, 1)
      await untilMore(() => countAnswers(done), Math.floor(random() * ROUND_ANSWERS_MAX))
      await sleep(random() * MOMENT_MS_MAX)
      await cutPower()
      await working
      // The power may go again while what it left is put right.
      if (round % 5 === 0) await cutWhileStarting(random() * STARTING_MS_MAX)
      server = await start()
      expect(await findLost(server.url, session, done), `after round ${round}`).toEqual([])
    }
    await drain(server, session, done, { start, inDatabase })
    const losses = await inDatabase((db) => findLosses(db, done))
    report(done, losses.length, await inDatabase(wordTasks))
    expect(losses).toEqual([])
    expect(countAnswers(done), 'too little happened').toBeGreaterThan(ROUNDS * 3)
  },
)

const inDatabase = inDatabaseOf({ databaseUrl: undefined, dataDir })

const start = () =>
  spawnServer({
    DATA_DIR: dataDir,
    INITIAL_CREDITS: '100000',
    LOG_LEVEL: 'fatal',
    WORKERS: '1',
  })

async function cutWhileStarting(afterMs: number): Promise<void> {
  const starting = start().catch(() => undefined)
  await sleep(afterMs)
  await cutPower()
  await starting
}

async function cutPower(): Promise<void> {
  disk?.cutPower()
  // It may have ended by itself already, without its disk.
  await killSpawned().catch(() => undefined)
  disk?.mountAgain()
}

type Pressing = {
  url: string
  session: string
  round: number
  random: () => number
  done: Kept
}

/** Each goes on until the server is gone, and notes what was acknowledged. */
function pressingCallers(pressing: Pressing): Promise<void>[] {
  const { round } = pressing
  const predict = () => predictOne(pressing)
  const works = [
    (turn: number) => uploadSome(pressing, `round-${round}-${turn}`),
    (turn: number) => uploadAndDelete(pressing, `gone-${round}-${turn}`),
    (turn: number) => changeKeys(pressing, `key-${round}-${turn}`),
    predict,
    predict,
    predict,
  ]
  return works.map(async (work) => {
    try {
      for (let turn = 0; ; turn++) await work(turn)
    } catch (error) {
      // The last answers may be those of a server without a disk; a refusal acknowledges nothing.
      if (!isOfCut(error)) throw error
    }
  })
}

function isOfCut(error: unknown): boolean {
  return !(error instanceof Refused) || /answered 50[03]/.test(error.message)
}

async function uploadSome({ url, session, done }: Pressing, name: string): Promise<void> {
  const { names } = await asUser(url, session).upload('drug_smiles', `${name}.txt`, molecules(10))
  done.compounds.push(...names)
  await sleep(50)
}

async function uploadAndDelete({ url, session, done }: Pressing, name: string): Promise<void> {
  await asUser(url, session).upload('drug_smiles', `${name}.txt`, `CCO ${name}`)
  await send(url, session, { ...deleteCompound, path: deleteCompound.path.replace(':name', name) })
  done.deleted.push(name)
  await sleep(20)
}

/** Makes one, and revokes those that were there before. */
async function changeKeys({ url, session, done }: Pressing, name: string): Promise<void> {
  const { keys: before } = listOwnKeys.answer.parse(await send(url, session, listOwnKeys))
  const made = createOwnKey.answer.parse(
    await post(url + createOwnKey.path, { name }, { 'API-Key': session }),
  )
  done.keys.push(made.key)
  for (const { id, prefix } of before) {
    const key = done.keys.find((one) => one.startsWith(prefix))
    // From now until it is acknowledged it may be there or not.
    done.keys = done.keys.filter((one) => one !== key)
    await send(url, session, { ...revokeOwnKey, path: revokeOwnKey.path.replace(':keyId', id) })
    if (key !== undefined) done.revoked.push(key)
  }
  await sleep(20)
}

async function predictOne({ url, session, random, done }: Pressing): Promise<void> {
  const compound = done.compounds[Math.floor(random() * done.compounds.length)] ?? ''
  const answer = await asUser(url, session).predict('protease', compound)
  if ('task_id' in answer) done.taskIds.push(answer.task_id)
  else done.answered.push({ compound, predictedKd: answer.predicted_kd })
}

type Call = { method: string; path: string }

async function send(url: string, key: string, { method, path }: Call): Promise<unknown> {
  return answerOf(await fetch(url + path, { method, headers: { 'API-Key': key } }))
}

/** What a user would miss, or would wonder to see again, in words. */
async function findLost(url: string, session: string, done: Kept): Promise<string[]> {
  const list = listCompounds.answer.parse(await send(url, session, listCompounds))
  const names = new Set(list.compound_names)
  const works = async (key: string) =>
    (await fetch(url + listCompounds.path, { headers: { 'API-Key': key } })).ok
  const [keys, revoked] = await Promise.all(
    [done.keys, done.revoked].map((some) =>
      Promise.all(some.slice(-KEYS_TRIED).map(async (key) => ({ key, works: await works(key) }))),
    ),
  )
  return [
    ...done.compounds.filter((name) => !names.has(name)).map((name) => `${name} is gone`),
    ...done.deleted.filter((name) => names.has(name)).map((name) => `${name} is back`),
    ...(keys ?? []).filter((one) => !one.works).map(({ key }) => `key ${key} is gone`),
    ...(revoked ?? []).filter((one) => one.works).map(({ key }) => `key ${key} works again`),
  ]
}

/** The newest: older ones were tried after earlier rounds. */
const KEYS_TRIED = 50

let moleculesMade = 0

/** Each is another one. */
function molecules(count: number): string {
  const lines = makeMolecules(moleculesMade, count)
  moleculesMade += count
  return lines
}

function countAnswers({ compounds, taskIds, answered, deleted, revoked }: Kept): number {
  const uploads = compounds.length / 10
  return uploads + taskIds.length + answered.length + deleted.length + revoked.length
}

async function untilMore(count: () => number, more: number): Promise<void> {
  const wanted = count() + more
  const deadline = Date.now() + ROUND_MS_MAX
  while (count() < wanted && Date.now() < deadline) await sleep(10)
}

function report(done: Kept, losses: number, tasks: string): void {
  const { compounds, taskIds, answered, deleted, revoked } = done
  console.log(
    `measured: power cuts, seed ${seed}, ${ROUNDS} rounds: acknowledged ${compounds.length} compounds, ` +
      `${deleted.length} deletions, ${revoked.length} revoked keys, ${answered.length} predictions, ` +
      `${taskIds.length} tasks; ${losses} lost; ${tasks}`,
  )
}
