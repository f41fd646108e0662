/** Compares the responses that callers under mixed load got with the state afterwards, and describes every difference. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Screen, ScreenRow } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { findLost, findWrongBalance, findWrongCharges } from './acknowledged.ts'
import { asUser } from './spawned-server.ts'
import { asAdministrator, asOwner, type Owner, type ScreenOrder } from './mixed-callers.ts'

const LOOK_MS = 200
const SETTLE_MS_MAX = 300_000

/** Contains only what was acknowledged, unless stated otherwise. */
export type Acknowledged = {
  target: string
  uploaded: string[]
  deleted: string[]
  /** pKd, keyed by compound. */
  predicted: Map<string, number>
  taskIds: string[]
  /** Keyed by Idempotency-Key. */
  screens: Map<string, KnownScreen>
  /** pK by compound: the last acknowledged one (undefined if none was), then those requested since. */
  measured: Map<string, (number | undefined)[]>
  /** Keyed by name. */
  keys: Map<string, string>
  revoked: string[]
  /** Names of keys whose revocation was requested; if the response was cut off, it may have happened or not. */
  doubted: Set<string>
  /** Balances that an administrator requested; those acknowledged are in `creditsSet`. */
  creditsAsked: number[]
  creditsSet: number[]
  /** State of the user who is deactivated and activated: the last acknowledged one, then those requested since. */
  isActive: boolean[]
}

export type KnownScreen = ScreenOrder & {
  /** Undefined until the start was acknowledged. */
  id?: string
  isCancelled: boolean
  /** No other order contains its pairs, so each of its predictions costs a credit. */
  isNew?: boolean
  /** pKd by pair, as read earlier: none may be lost or changed. */
  seen: Map<string, number>
}

/** The users whom the administrator changes. */
export type Others = {
  /** The administrator's. */
  token: string
  grantedId: string
  switchedId: string
  switchedSession: string
}

type Who = { session: string; others: Others }

export async function findFaults(
  url: string,
  { session, others }: Who,
  done: Acknowledged,
): Promise<string[]> {
  const owner = asOwner(url, session)
  return [
    ...(await findWrongCompounds(owner, done)),
    ...(await findWrongKeys(url, done)),
    ...(await findWrongScreens(owner, done)),
    ...(await findWrongMeasurements(owner, done)),
    ...(await findWrongSwitch(url, others, done)),
    ...(await findWrongPredictions(url, session, done)),
  ]
}

/** After all work has ended: each charge and refund exists once, and each balance equals the sum of its ledger. */
export async function findFaultsInDatabase(
  db: Database,
  { grantedId }: Others,
  done: Acknowledged,
): Promise<string[]> {
  const ledger = await db.selectFrom('ledger').selectAll().orderBy('id').execute()
  const tasks = await db.selectFrom('tasks').selectAll().execute()
  const orders = await db.selectFrom('orders').selectAll().execute()
  const screens = orders.filter(({ kind }) => kind !== 'single')
  const users = await db.selectFrom('users').select(['id', 'credits']).execute()
  const ofScreens = Map.groupBy(ledger, ({ task_id: id }) => id ?? '')
  const screenIds = new Set(screens.map(({ id }) => id))
  const ofTasks = ledger.filter(({ task_id: id }) => id !== null && !screenIds.has(id))
  const set = ledger.filter((row) => row.user_id === grantedId && row.reason === 'administrator')
  // A pair that was paid for by another order is predicted again for free.
  const charged = new Set(ledger.map(({ task_id: id }) => id))
  const paidTasks = tasks.filter(({ id }) => charged.has(id))
  return [
    ...findLost('task', done.taskIds, new Set(tasks.map(({ id }) => id))),
    ...findWrongCharges(paidTasks, ofTasks),
    ...screens.flatMap(({ id }) => findWrongScreenCharges(id, ofScreens.get(id) ?? [])),
    ...users.flatMap(({ id }) => findWrongPayments(id, orders, ledger)),
    ...users.flatMap(({ id, credits }) =>
      findWrongBalance(
        credits,
        ledger.filter((row) => row.user_id === id),
      ),
    ),
    ...findWrongGrants(
      set.map((row) => row.balance_after),
      done,
    ),
  ]
}

/** One charge for the pairs that were not known, and at most one refund. */
function findWrongScreenCharges(id: string, rows: { delta: number }[]): string[] {
  const deltas = rows.map(({ delta }) => Math.sign(delta)).join()
  return ['', '-1', '-1,1'].includes(deltas) ? [] : [`screen ${id} was charged ${deltas}`]
}

type Paid = { user_id: string; credits_charged: number }
type Change = { user_id: string; delta: number; task_id: string | null }

/** Orders may take over each other's payments; their total cost equals the total charge. */
function findWrongPayments(userId: string, orders: Paid[], ledger: Change[]): string[] {
  const cost = sum(
    orders.filter((order) => order.user_id === userId).map((one) => one.credits_charged),
  )
  const changes = ledger.filter((one) => one.user_id === userId && one.task_id !== null)
  const taken = -sum(changes.map(({ delta }) => delta))
  return cost === taken ? [] : [`${taken} credits were taken for orders that cost ${cost}`]
}

function sum(numbers: number[]): number {
  return Math.round(numbers.reduce((total, one) => total + one, 0) * 1000) / 1000
}

/** An acknowledged balance has one entry; a requested one has at most one. */
function findWrongGrants(entries: number[], { creditsAsked, creditsSet }: Acknowledged): string[] {
  const counts = new Map<number, number>()
  for (const balance of entries) counts.set(balance, (counts.get(balance) ?? 0) + 1)
  const known = new Set(creditsAsked)
  return [
    ...creditsSet
      .filter((credits) => !counts.has(credits))
      .map((credits) => `the ledger lacks the balance ${credits} that an administrator set`),
    ...[...counts]
      .filter(([credits, count]) => count > 1 || !known.has(credits))
      .map(([credits, count]) => `the ledger has the balance ${credits} ${count} times`),
  ]
}

async function findWrongCompounds(owner: Owner, { uploaded, deleted }: Acknowledged) {
  const faults: string[] = []
  const look = async (name: string, expected: number) => {
    const { status } = await owner.get(`/file_manager/compounds/${name}`)
    if (status !== expected) faults.push(`${name} answers ${status} instead of ${expected}`)
  }
  for (const name of uploaded) await look(name, 200)
  for (const name of deleted) await look(name, 404)
  return faults
}

async function findWrongKeys(url: string, { keys, revoked, doubted }: Acknowledged) {
  const faults: string[] = []
  for (const [name, key] of keys) {
    const mustWork = !doubted.has(name)
    if (mustWork && (await creditsStatus(url, key)) !== 200) faults.push(`${name} no longer works`)
  }
  for (const key of revoked) {
    if ((await creditsStatus(url, key)) !== 401) faults.push('a revoked key works')
  }
  return faults
}

async function creditsStatus(url: string, key: string): Promise<number> {
  return (await fetch(`${url}/dta/credits`, { headers: { 'API-Key': key } })).status
}

async function findWrongScreens(owner: Owner, { screens }: Acknowledged) {
  const faults: string[] = []
  for (const [name, known] of screens) {
    const screen = await untilEnded(owner, known.id ?? '')
    const found = findWrongScreen(known, screen, await owner.screenRows(screen.id))
    faults.push(...found.map((fault) => `${name} ${fault}`))
    if (screen.status !== 'DONE') continue
    const { to_predict: left } = await owner.quote(known)
    if (left > 0) faults.push(`${name}: ${left} pairs would be paid again`)
  }
  const watched = [...screens.values()].filter(({ isNew }) => isNew)
  return watched.length > 0 && watched.every(isSeenWhole)
    ? [...faults, 'no screen was struck before its end']
    : faults
}

function isSeenWhole({ seen, compounds, targets }: KnownScreen): boolean {
  return seen.size === compounds.length * targets.length
}

const pairOf = ({ row, target }: ScreenRow) => `${row} ${target}`

export async function noteNumbers(owner: Owner, { id, seen }: KnownScreen): Promise<void> {
  for (const row of await owner.screenRows(id ?? '')) {
    if (row.predicted_kd !== null) seen.set(pairOf(row), row.predicted_kd)
  }
}

/** Describes everything in a finished screen that differs from what was acknowledged. */
export function findWrongScreen(known: KnownScreen, screen: Screen, rows: ScreenRow[]): string[] {
  const expected = known.compounds.flatMap((compound, at) =>
    known.targets.map((target) => `${at + 1} ${target} ${compound}`),
  )
  const found = rows.map((row) => `${pairOf(row)} ${row.compound}`)
  const numbers = rows.filter((row) => row.predicted_kd !== null).length
  const byPair = new Map(rows.map((row) => [pairOf(row), row.predicted_kd]))
  const changed = [...known.seen].filter(([pair, pKd]) => byPair.get(pair) !== pKd).length
  const unexplained = rows.filter((row) => (row.predicted_kd === null) === (row.reason === null))
  const mayLack = known.isCancelled && screen.status === 'CANCELLED'
  const { status, credits_charged: cost } = screen
  const isWrongCost = known.isNew ? cost !== numbers : cost > numbers
  const claims: [boolean, string][] = [
    [found.join() !== expected.join(), `${found.length} rows for ${expected.length}, or others`],
    [status !== 'DONE' && !mayLack, `is ${status}: ${screen.message}`],
    [numbers < expected.length && !mayLack, `${numbers} numbers for ${expected.length} pairs`],
    [unexplained.length > 0, `${unexplained.length} rows have no number and no reason, or both`],
    [changed > 0, `${changed} numbers that were read are gone or others`],
    [isWrongCost, `cost ${cost} for ${numbers} numbers`],
  ]
  return claims.flatMap(([isWrong, fault]) => (isWrong ? [fault] : []))
}

async function untilEnded(owner: Owner, id: string): Promise<Screen> {
  const deadline = Date.now() + SETTLE_MS_MAX
  for (;;) {
    const screen = await owner.screen(id)
    const isOpen = screen.status === 'QUEUED' || screen.status === 'RUNNING'
    if (!isOpen || Date.now() > deadline) return screen
    await sleep(LOOK_MS)
  }
}

async function findWrongMeasurements(owner: Owner, { measured }: Acknowledged) {
  const found = await owner.measured()
  return [...measured]
    .filter(([compound, asked]) => !asked.includes(found.get(compound)))
    .map(
      ([compound, asked]) =>
        `${compound} is measured as ${found.get(compound)} instead of ${asked.join(' or ')}`,
    )
}

async function findWrongSwitch(url: string, others: Others, { isActive }: Acknowledged) {
  const { is_active: is } = await asAdministrator(url, others.token).user(others.switchedId)
  const status = await creditsStatus(url, others.switchedSession)
  return [
    ...(isActive.includes(is) ? [] : [`a user is active: ${is}, which is not what was asked for`]),
    ...(is || status !== 200 ? [] : ['a user who is switched off is answered']),
  ]
}

/** Responses seen before must be the same again. */
async function findWrongPredictions(
  url: string,
  session: string,
  { target, predicted }: Acknowledged,
) {
  const faults: string[] = []
  for (const [compound, before] of predicted) {
    const answer = await asUser(url, session).predict(target, compound)
    const now = 'predicted_kd' in answer ? answer.predicted_kd : 'another task'
    if (now !== before) faults.push(`${compound} was ${before} and is ${now}`)
  }
  return faults
}
