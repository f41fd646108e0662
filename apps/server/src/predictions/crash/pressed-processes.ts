/** Callers who upload and predict all the while on processes that share a server, and what must hold of the database afterwards. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { asUser, Refused, signIn } from './spawned-server.ts'

const CALLERS = 8
const ALCOHOLS = 2000
const structure = readFileSync(new URL('../../../../../samples/1hpv.pdb', import.meta.url), 'utf8')

export const settingsOf = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  LOG_LEVEL: 'fatal',
  WORKERS: '1',
  INITIAL_CREDITS: '100000',
})

/** A user with things to predict; answers the key. */
export async function openPressingUser(url: string, email: string): Promise<string> {
  const key = await signIn(url, email)
  const user = asUser(url, key)
  await user.upload('protein_pdb', 'protease.pdb', structure)
  await user.upload('drug_smiles', 'alcohols.txt', alcohols())
  return key
}

/** No two alike. */
function alcohols(): string {
  const lines = Array.from({ length: ALCOHOLS }, (_, at) => {
    const bits = (at + 2).toString(2).slice(1)
    return `C${Array.from(bits, (bit) => (bit === '1' ? 'N' : 'C')).join('')}O alcohol-${at}`
  })
  return lines.join('\n')
}

export type Pressed = {
  calls: number
  /** Names of compounds whose upload was acknowledged. */
  uploaded: string[]
  /** Acknowledged, and not answered with a number at once. */
  tasks: string[]
  failures: string[]
  longestMs: number
}

/** `chooseUrl` says where the next call goes. */
export function pressOn(chooseUrl: () => string, key: string) {
  const pressed: Pressed = { calls: 0, uploaded: [], tasks: [], failures: [], longestMs: 0 }
  let isOver = false
  const call = async (at: number) => {
    const user = asUser(chooseUrl(), key)
    if (at % 3 !== 0) {
      const answer = await user.predict('protease', `alcohol-${at % ALCOHOLS}`)
      if ('task_id' in answer) pressed.tasks.push(answer.task_id)
      return
    }
    const { names } = await user.upload('drug_smiles', `${at}.txt`, `CCO upload-${at}`)
    pressed.uploaded.push(...names)
  }
  const press = async () => {
    while (!isOver) {
      const started = performance.now()
      try {
        await call(pressed.calls++)
      } catch (error) {
        pressed.failures.push(error instanceof Refused ? error.message : reasonOf(error))
        await sleep(20)
      }
      pressed.longestMs = Math.max(pressed.longestMs, performance.now() - started)
    }
  }
  const callers = Array.from({ length: CALLERS }, press)
  return {
    async until(isEnough: (pressed: Pressed) => boolean): Promise<void> {
      while (!isEnough(pressed)) await sleep(20)
    },
    /** From now on. */
    more(calls: number): Promise<void> {
      const wanted = pressed.calls + calls
      return this.until((now) => now.calls >= wanted)
    },
    async end(): Promise<Pressed> {
      isOver = true
      await Promise.all(callers)
      return pressed
    },
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? String(error) : `${error}: ${reasonOf(error.cause)}`
}

/** Of the uploads that were acknowledged those that are not there; throws where a task does not end or a credit is off. */
export async function checkPressed(databaseUrl: string, uploaded: string[]): Promise<string[]> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    await untilSettled(database)
    await expectBalanced(database)
    return await findLost(database, uploaded)
  } finally {
    await database.end()
  }
}

async function untilSettled(database: pg.Client): Promise<void> {
  const open = "select from tasks where status in ('PENDING', 'STARTED')"
  await vi.waitFor(async () => expect((await database.query(open)).rowCount).toBe(0), {
    timeout: 200_000,
    interval: 100,
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
