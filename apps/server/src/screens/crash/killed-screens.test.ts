import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Screen } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '#server/platform/db/open-test-database.ts'
import type { Database } from '#server/platform/db/schema.ts'
import {
  asUser,
  killSpawned,
  Refused,
  signIn,
  spawnServer,
  spawnWorker,
} from '#server/predictions/crash/spawned-server.ts'
import { inDatabaseOf } from '#server/predictions/crash/in-database.ts'
import { makeMolecules, makeRandom } from '#server/predictions/crash/made-input.ts'
import { asScreener, findFaults, pairOf, type WatchedScreen } from './watched-screens.ts'

/** Each of the four moments comes once. */
const ROUNDS = Number(process.env.PKDEX_SCREEN_CRASH_ROUNDS ?? 4)
const seed = Number(process.env.PKDEX_CRASH_SEED ?? Math.floor(Math.random() * 1e6))
/** Two blocks. */
const COMPOUNDS = 270
const MOMENT_MS_MAX = 400
const LOOK_MS = 20
const INITIAL_CREDITS = 1_000_000

const fixture = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pkdex-screens-crash-'))
const onServer = process.env.PKDEX_TEST_DATABASE_URL ? await openTestDatabase() : null
afterAll(async () => {
  await killSpawned()
  await onServer?.close()
  rmSync(folder, { recursive: true, force: true })
})

test(
  `kill -9 in the middle of screens, ${ROUNDS} rounds: no credit is off, no row is lost, none comes twice`,
  { timeout: 1_800_000 + ROUNDS * 60_000 },
  async () => {
    const random = makeRandom(seed)
    let product = await startProduct()
    const key = await signIn(product.url, 'screens@example.org')
    const input = await uploadInput(product.url, key)
    const screens: WatchedScreen[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const screen = nextScreen(input, round)
      screens.push(screen)
      const moment = moments[round % moments.length] ?? whileItRuns
      const cutOff = moment(product.url, key, { screen, random })
      await cutOff.isTime
      product = await product.killAndRestart(round)
      await cutOff.ended
      const caller = asScreener(product.url, key)
      // Who got no answer asks again, as the documentation says.
      await caller.start(screen)
      if (screen.isCancelled) await caller.cancel(screen)
      await noteNumbers(caller, screen)
    }
    const ended = await untilEnded(product.url, key)
    const faults = await checkScreens(product.url, key, { screens, ended })
    await product.stop()
    expect([...faults, ...(await inDatabase((db) => findWrongCredits(db, ended)))]).toEqual([])
    const unfinished = screens.filter(({ seen }) => seen.size < COMPOUNDS * input.targets.length)
    expect(unfinished.length, 'no screen was killed before its end').toBeGreaterThan(0)
    report(ended)
  },
)

type Input = { targets: string[]; compounds: string[] }

async function uploadInput(url: string, key: string): Promise<Input> {
  const user = asUser(url, key)
  const lysozyme = 'packages/biochem/src/pdb/fixtures/structures/103l.pdb.gz'
  await user.upload('protein_pdb', 'protease.pdb', fixture('samples/1hpv.pdb').toString())
  await user.upload('protein_pdb', 'lysozyme.pdb', gunzipSync(fixture(lysozyme)).toString())
  const compounds: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = makeMolecules(round * COMPOUNDS, COMPOUNDS)
    const { names } = await user.upload('drug_smiles', `alcohols-${round}.txt`, text)
    expect(names).toHaveLength(COMPOUNDS)
    compounds.push(...names)
  }
  return { targets: ['protease', 'lysozyme'], compounds }
}

/** Compounds of its own, so that what it costs is what it holds. */
function nextScreen({ targets, compounds }: Input, round: number): WatchedScreen {
  const own = compounds.slice(round * COMPOUNDS, (round + 1) * COMPOUNDS)
  const request = { targets, compounds: own }
  return {
    idempotencyKey: `round-${round}`,
    request,
    id: null,
    isCancelled: false,
    seen: new Map(),
  }
}

type Moment = (
  url: string,
  key: string,
  of: { screen: WatchedScreen; random: () => number },
) => { isTime: Promise<unknown>; ended: Promise<unknown> }

/** The order is on its way. */
const asItStarts: Moment = (url, key, { screen, random }) => {
  const ended = unlessCutOff(asScreener(url, key).start(screen))
  return { isTime: Promise.race([ended, pause(random() * MOMENT_MS_MAX)]), ended }
}

/** A block has come to its end, of this screen or of one before it. */
const afterABlock: Moment = (url, key, { screen, random }) => {
  const caller = asScreener(url, key)
  const isTime = caller.start(screen).then(async () => {
    const before = countDone(await caller.list())
    while (countDone(await caller.list()) === before) await pause(LOOK_MS)
    await noteNumbers(caller, screen)
    await pause((random() * MOMENT_MS_MAX) / 10)
  })
  return { isTime, ended: isTime }
}

/** It is being cancelled, which is asked for again afterwards. */
const asItIsCancelled: Moment = (url, key, { screen, random }) => {
  const caller = asScreener(url, key)
  const started = caller.start(screen)
  const ended = started.then(async () => {
    screen.isCancelled = true
    await unlessCutOff(caller.cancel(screen))
  })
  const isTime = started.then(() => Promise.race([ended, pause((random() * MOMENT_MS_MAX) / 10)]))
  return { isTime, ended }
}

const whileItRuns: Moment = (url, key, { screen, random }) => {
  const isTime = asScreener(url, key)
    .start(screen)
    .then(() => pause(random() * MOMENT_MS_MAX))
  return { isTime, ended: isTime }
}

const moments = [asItStarts, afterABlock, asItIsCancelled, whileItRuns]

/** A refusal is a fault; an answer that does not come is what this is about. */
async function unlessCutOff(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (error instanceof Refused) throw error
  })
}

async function noteNumbers(caller: ReturnType<typeof asScreener>, screen: WatchedScreen) {
  for (const row of await caller.rows(screen.id ?? '')) {
    if (row.predicted_kd !== null) screen.seen.set(pairOf(row), row.predicted_kd)
  }
}

function countDone(screens: Screen[]): number {
  return screens.reduce((sum, { done }) => sum + done, 0)
}

type Product = {
  url: string
  stop: () => Promise<void>
  /** The whole product; on a server the API, the worker, or both, in turn. */
  killAndRestart: (round: number) => Promise<Product>
}

async function startProduct(): Promise<Product> {
  const settings = {
    ...(onServer?.source.kind === 'server'
      ? { DATABASE_URL: onServer.source.url }
      : { DATA_DIR: folder }),
    INITIAL_CREDITS: String(INITIAL_CREDITS),
    LOG_LEVEL: 'warn',
    WORKERS: '1',
  }
  if (onServer === null) {
    const all = await spawnServer(settings)
    return { ...all, killAndRestart: () => all.kill().then(startProduct) }
  }
  const startApi = () => spawnServer(settings, 'api')
  const apart = (
    api: Awaited<ReturnType<typeof startApi>>,
    worker: ReturnType<typeof spawnWorker>,
  ): Product => ({
    url: api.url,
    stop: async () => void (await Promise.all([api.stop(), worker.stop()])),
    async killAndRestart(round) {
      const [isApi, isWorker] = [round % 3 !== 1, round % 3 !== 0]
      await Promise.all([isApi && api.kill(), isWorker && worker.kill()])
      return apart(isApi ? await startApi() : api, isWorker ? spawnWorker(settings) : worker)
    },
  })
  return apart(await startApi(), spawnWorker(settings))
}

async function untilEnded(url: string, key: string): Promise<Screen[]> {
  const caller = asScreener(url, key)
  for (;;) {
    const screens = await caller.list()
    const isOpen = ({ status }: Screen) => status === 'QUEUED' || status === 'RUNNING'
    if (!screens.some(isOpen)) return screens
    await pause(200)
  }
}

async function checkScreens(
  url: string,
  key: string,
  { screens, ended }: { screens: WatchedScreen[]; ended: Screen[] },
): Promise<string[]> {
  const caller = asScreener(url, key)
  const faults =
    ended.length === screens.length ? [] : [`${ended.length} screens of ${screens.length}`]
  for (const watched of screens) {
    const screen = ended.find(({ id }) => id === watched.id)
    if (screen === undefined) faults.push(`screen ${watched.idempotencyKey} is gone`)
    else faults.push(...findFaults(watched, screen, await caller.rows(screen.id)))
    if (screen?.status !== 'DONE') continue
    const { to_predict: left } = await caller.quote(watched.request)
    if (left > 0) faults.push(`screen ${watched.idempotencyKey}: ${left} pairs would be paid again`)
  }
  return faults
}

/** One charge for each screen, one refund at most, and a balance that is their sum. */
async function findWrongCredits(db: Database, ended: Screen[]): Promise<string[]> {
  const ledger = await db.selectFrom('ledger').selectAll().orderBy('id').execute()
  const { credits } = await db.selectFrom('users').select('credits').executeTakeFirstOrThrow()
  const faults = ended.flatMap(({ id, total, credits_charged: charged }) => {
    const deltas = ledger.filter(({ task_id }) => task_id === id).map(({ delta }) => delta)
    const expected = charged === total ? [-total] : [-total, total - charged]
    return deltas.join() === expected.join() ? [] : [`screen ${id} of ${total}: ${deltas.join()}`]
  })
  const sum = ledger.reduce((total, { delta }) => total + delta, 0)
  const last = ledger.at(-1)?.balance_after
  return credits === sum && credits === last
    ? faults
    : [...faults, `the balance is ${credits}, the ledger adds up to ${sum} and ends at ${last}`]
}

function inDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  if (onServer) return work(onServer.db)
  return inDatabaseOf({ databaseUrl: undefined, dataDir: folder })(work)
}

function report(ended: Screen[]): void {
  const cancelled = ended.filter(({ status }) => status === 'CANCELLED').length
  const where = onServer ? 'API and worker on PostgreSQL' : 'the embedded product'
  console.log(
    `measured: kill -9 of ${where} in the middle of screens, seed ${seed}, ${ROUNDS} rounds: ` +
      `${ended.length} screens, ${countDone(ended)} pairs, ${cancelled} screens cancelled; nothing lost, nothing twice, no credit off`,
  )
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
