/** What callers under mixed load were told, and everything that is not so afterwards, in words. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AdminUser, listUserLedger, listUsers, Screen, ScreenRow } from '@pkdex/contract'
import { z } from 'zod'
import { answerOf, asUser, post } from '#server/predictions/crash/spawned-server.ts'

export const administrator = { email: 'admin@example.org', password: 'correct horse battery' }
export const USER = 'mixed@example.org'
/** Whose credits the administrator sets. */
export const GRANTED = 'granted@example.org'
export const TARGET = 'protease'

const LEDGER_PAGE = 200
const LOOK_MS = 200
const SETTLE_MS_MAX = 300_000
const Token = z.object({ access_token: z.string() })

/** Only what an answer was received for. */
export type Acknowledged = {
  uploaded: string[]
  deleted: string[]
  predicted: Map<string, number>
  tasks: string[]
  screens: Map<string, { id: string; compounds: string[]; isCancelled: boolean }>
  keys: string[]
  revoked: string[]
  /** Keys whose revocation was asked for: one that was cut off may be done or not. */
  doubted: Set<string>
  /** Of the user whose credits are set: the last acknowledged, then what was asked for since. */
  credits: number[]
}

/** Of each kind that is not as it was acknowledged, once all that is open has ended. */
export async function findLosses(
  url: string,
  session: string,
  done: Acknowledged,
): Promise<string[]> {
  const caller = callsOf(url, session)
  return [
    ...(await findWrongCompounds(caller, done)),
    ...(await findWrongKeys(url, done)),
    ...(await findWrongTasks(url, session, done)),
    ...(await findWrongScreens(caller, done)),
    ...(await findWrongCredits(asAdministrator(url, await signInAdministrator(url)), done)),
  ]
}

export type Caller = ReturnType<typeof callsOf>

export function callsOf(url: string, session: string) {
  const headers = { 'API-Key': session }
  const get = async (path: string, more = {}) =>
    fetch(`${url}${path}`, { headers: { ...headers, ...more } })
  const keys = z.object({ keys: z.array(z.object({ id: z.string(), prefix: z.string() })) })
  return {
    get,
    async erase(path: string): Promise<void> {
      await answerOf(await fetch(`${url}${path}`, { method: 'DELETE', headers }))
    },
    async startScreen(idempotencyKey: string, order: object): Promise<Screen> {
      const named = { ...headers, 'Idempotency-Key': idempotencyKey }
      return Screen.parse(await post(`${url}/screens`, order, named))
    },
    async makeKey(name: string): Promise<{ key: string }> {
      return z
        .object({ key: z.string() })
        .parse(await post(`${url}/account/keys`, { name }, headers))
    },
    async keys() {
      return keys.parse(await answerOf(await get('/account/keys'))).keys
    },
  }
}

type Administrator = {
  setCredits: (userId: string, credits: number) => Promise<void>
  creditsOf: (userId: string) => Promise<number>
  /** What each entry of the ledger changed. */
  ledgerOf: (userId: string) => Promise<number[]>
  idOf: (email: string) => Promise<string>
}

/** Answers the token: it outlives the process that gave it. */
export async function signInAdministrator(url: string): Promise<string> {
  const body = { username: administrator.email, password: administrator.password }
  return Token.parse(await post(`${url}/admin/auth/token`, body)).access_token
}

export function asAdministrator(url: string, token: string): Administrator {
  const call = async (method: string, path: string) =>
    answerOf(
      await fetch(`${url}${path}`, { method, headers: { Authorization: `Bearer ${token}` } }),
    )
  return {
    async setCredits(userId, credits) {
      await call('PUT', `/admin/users/${userId}/credits?credits=${credits}`)
    },
    async creditsOf(userId) {
      return AdminUser.parse(await call('GET', `/admin/users/${userId}`)).credits
    },
    async ledgerOf(userId) {
      const deltas: number[] = []
      for (let page = 1; ; page += 1) {
        const path = `/admin/users/${userId}/ledger?page=${page}&page_size=${LEDGER_PAGE}`
        const { entries } = listUserLedger.answer.parse(await call('GET', path))
        deltas.push(...entries.map(({ delta }) => delta))
        if (entries.length < LEDGER_PAGE) return deltas
      }
    },
    async idOf(email) {
      const found = await call('GET', `/admin/users?search=${encodeURIComponent(email)}`)
      return listUsers.answer.parse(found)[0]?._id ?? ''
    },
  }
}

async function findWrongCompounds(caller: Caller, { uploaded, deleted }: Acknowledged) {
  const faults: string[] = []
  const look = async (name: string, expected: number) => {
    const { status } = await caller.get(`/file_manager/compounds/${name}`)
    if (status !== expected) faults.push(`${name} answers ${status} instead of ${expected}`)
  }
  for (const name of uploaded) await look(name, 200)
  for (const name of deleted) await look(name, 404)
  return faults
}

async function findWrongKeys(url: string, { keys, revoked, doubted }: Acknowledged) {
  const statusOf = async (key: string) =>
    (await fetch(`${url}/dta/credits`, { headers: { 'API-Key': key } })).status
  const faults: string[] = []
  for (const key of keys) {
    if (!doubted.has(key) && (await statusOf(key)) !== 200) faults.push('a key no longer works')
  }
  for (const key of revoked) {
    if ((await statusOf(key)) !== 401) faults.push('a revoked key works')
  }
  return faults
}

/** Each task ends, and what was answered once is answered again for nothing. */
async function findWrongTasks(url: string, session: string, { tasks, predicted }: Acknowledged) {
  const user = asUser(url, session)
  const open = new Set(tasks)
  const deadline = Date.now() + SETTLE_MS_MAX
  while (open.size > 0 && Date.now() < deadline) {
    for (const id of open) {
      const { status } = await user.task(id)
      if (status === 'SUCCESS' || status === 'FAILURE') open.delete(id)
    }
    if (open.size > 0) await sleep(LOOK_MS)
  }
  const faults = [...open].map((id) => `task ${id} has not ended`)
  for (const [compound, before] of predicted) {
    const answer = await user.predict(TARGET, compound)
    const now = 'predicted_kd' in answer ? answer.predicted_kd : 'another task'
    if (now !== before) faults.push(`${compound} was ${before} and is ${now}`)
  }
  return faults
}

async function findWrongScreens(caller: Caller, { screens }: Acknowledged) {
  const faults: string[] = []
  for (const [name, { id, compounds, isCancelled }] of screens) {
    const screen = await untilEnded(caller, id)
    const rows = await rowsOf(caller, id)
    const numbers = rows.filter((row) => row.predicted_kd !== null)
    const mayLack = isCancelled && screen.status === 'CANCELLED'
    if (rows.map((row) => row.compound).join() !== compounds.join()) {
      faults.push(`${name} has ${rows.length} rows for ${compounds.length} compounds, or others`)
    }
    if (!mayLack && (screen.status !== 'DONE' || numbers.length < compounds.length)) {
      faults.push(`${name} is ${screen.status} with ${numbers.length} numbers: ${screen.message}`)
    }
    if (screen.credits_charged > numbers.length) {
      faults.push(`${name} cost ${screen.credits_charged} for ${numbers.length} numbers`)
    }
  }
  return faults
}

async function untilEnded(caller: Caller, id: string): Promise<Screen> {
  const deadline = Date.now() + SETTLE_MS_MAX
  for (;;) {
    const screen = Screen.parse(await answerOf(await caller.get(`/screens/${id}`)))
    const isOpen = screen.status === 'QUEUED' || screen.status === 'RUNNING'
    if (!isOpen || Date.now() > deadline) return screen
    await sleep(LOOK_MS)
  }
}

async function rowsOf(caller: Caller, id: string): Promise<ScreenRow[]> {
  const answer = await caller.get(`/screens/${id}/results`, { Accept: 'application/x-ndjson' })
  if (!answer.ok) await answerOf(answer)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => ScreenRow.parse(JSON.parse(line)))
}

/** A balance is the sum of its ledger, and that which an administrator set is the last that was set. */
async function findWrongCredits(
  admin: Administrator,
  { credits: asked }: Acknowledged,
): Promise<string[]> {
  const faults: string[] = []
  for (const email of [USER, GRANTED]) {
    const id = await admin.idOf(email)
    const sum = (await admin.ledgerOf(id)).reduce((total, delta) => total + delta, 0)
    const balance = await admin.creditsOf(id)
    if (sum !== balance) faults.push(`${email} has ${balance}, and the ledger adds up to ${sum}`)
    const isOneThatWasSet = email === USER || asked.length === 0 || asked.includes(balance)
    if (!isOneThatWasSet) faults.push(`${email} has ${balance} instead of ${asked.join(' or ')}`)
  }
  return faults
}
