/** What callers under mixed load were told, and everything that is not so afterwards, in words. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Screen } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import {
  findLost,
  findWrongBalance,
  findWrongCharges,
} from '#server/predictions/crash/acknowledged.ts'
import { asUser } from '#server/predictions/crash/spawned-server.ts'
import { asAdministrator, asOwner, type Owner } from './mixed-callers.ts'

const LOOK_MS = 200
const SETTLE_MS_MAX = 300_000

/** Only what an answer was received for, unless it says otherwise. */
export type Acknowledged = {
  target: string
  uploaded: string[]
  deleted: string[]
  /** pKd by compound. */
  predicted: Map<string, number>
  taskIds: string[]
  screens: Map<string, { id: string; compounds: string[]; isCancelled: boolean }>
  /** pK by compound: the last acknowledged, undefined where none was, then what was asked for since. */
  measured: Map<string, (number | undefined)[]>
  /** By name. */
  keys: Map<string, string>
  revoked: string[]
  /** Names of keys whose revocation was asked for: one that was cut off may be done or not. */
  doubted: Set<string>
  /** Balances that an administrator asked for; those acknowledged stand in `creditsSet`. */
  creditsAsked: number[]
  creditsSet: number[]
  /** Of the user who is switched off and on: the last acknowledged, then what was asked for since. */
  isActive: boolean[]
}

/** Whom the administrator changes. */
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

/** Once nothing is open any more: each charge and refund once, each balance its ledger's. */
export async function findFaultsInDatabase(
  db: Database,
  { grantedId }: Others,
  done: Acknowledged,
): Promise<string[]> {
  const ledger = await db.selectFrom('ledger').selectAll().orderBy('id').execute()
  const tasks = await db.selectFrom('tasks').selectAll().execute()
  const screens = await db.selectFrom('screens').selectAll().execute()
  const users = await db.selectFrom('users').select(['id', 'credits']).execute()
  const ofScreens = Map.groupBy(ledger, ({ task_id: id }) => id ?? '')
  const screenIds = new Set(screens.map(({ id }) => id))
  const ofTasks = ledger.filter(({ task_id: id }) => id !== null && !screenIds.has(id))
  const set = ledger.filter((row) => row.user_id === grantedId && row.reason === 'administrator')
  // A pair that a screen has paid for is predicted again for nothing.
  const paidTasks = tasks.filter(({ credits_charged: credits }) => credits > 0)
  return [
    ...findLost('task', done.taskIds, new Set(tasks.map(({ id }) => id))),
    ...findWrongCharges(paidTasks, ofTasks),
    ...screens.flatMap((screen) => findWrongScreenCharges(screen, ofScreens.get(screen.id) ?? [])),
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

type ScreenCharge = { id: string; paid: number; credits_per_pair: number; credits_charged: number }

/** One charge for what was not known, and one refund at most. */
function findWrongScreenCharges(screen: ScreenCharge, rows: { delta: number }[]): string[] {
  const charge = screen.paid * screen.credits_per_pair
  const refund = charge - screen.credits_charged
  const expected = [-charge, refund].filter((delta) => delta !== 0).join()
  const found = rows.map(({ delta }) => delta).join()
  return found === expected ? [] : [`screen ${screen.id} was charged ${found}, not ${expected}`]
}

/** An acknowledged balance is one entry; one that was asked for is one at most. */
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
  for (const [name, { id, compounds, isCancelled }] of screens) {
    const screen = await untilEnded(owner, id)
    const rows = await owner.screenRows(id)
    const numbers = rows.filter((row) => row.predicted_kd !== null)
    const mayLack = isCancelled && screen.status === 'CANCELLED'
    if (rows.map((row) => row.compound).join() !== compounds.join()) {
      faults.push(`${name} has ${rows.length} rows for ${compounds.length} compounds, or others`)
    }
    if (!mayLack && (screen.status !== 'DONE' || numbers.length < compounds.length)) {
      faults.push(`${name} is ${screen.status} with ${numbers.length} numbers: ${screen.message}`)
    }
    // What was known before cost nothing.
    if (screen.credits_charged > numbers.length) {
      faults.push(`${name} cost ${screen.credits_charged} for ${numbers.length} numbers`)
    }
  }
  return faults
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

/** What was answered once is answered again. */
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
