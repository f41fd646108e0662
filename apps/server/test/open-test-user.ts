/** Signed-in users who request predictions and check their cost: one with one pair, and one with a series to screen. */
import { PredictAnswer, Screen, Task } from '@pkdex/contract'
import { expect, vi } from 'vitest'
import { addPair, addSeries, openTestSession, type TestPair } from './factories.ts'
import { readBalance } from '#server/credits/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { FastifyInstance } from 'fastify'

export type TestUser = Awaited<ReturnType<typeof openTestUser>>

type Served = { app: FastifyInstance; database: OpenDatabase }

export async function openTestUser({ app, database }: Served, credits: number) {
  const { db } = database
  const { userId, headers } = await openTestSession(db, { credits })
  const pair = await addPair(database, userId)
  let pairs = 2

  const ask = (wanted: Pick<TestPair, 'target' | 'compound'> = pair) =>
    app.inject({
      method: 'POST',
      url: '/dta/predict',
      headers,
      payload: { protein_id: wanted.target, compound_id: wanted.compound },
    })
  const poll = (taskId: string) =>
    app.inject({ method: 'GET', url: `/dta/predict/${taskId}`, headers })

  return {
    userId,
    headers,
    pair,
    ask,
    poll,
    /** Uses another molecule each time. */
    addPair: () => addPair(database, userId, { smiles: `O${'C'.repeat((pairs += 1))}` }),
    /** Requests a prediction that is not ready in time, and returns its task. */
    async askForTask(wanted: TestPair = pair): Promise<string> {
      const answer = PredictAnswer.parse((await ask(wanted)).json())
      if (!('task_id' in answer)) throw new Error('was answered directly')
      return answer.task_id
    },
    untilEnded: (taskId: string): Promise<Task> =>
      vi.waitFor(
        async () => {
          const task = Task.parse((await poll(taskId)).json())
          expect(['SUCCESS', 'FAILURE']).toContain(task.status)
          return task
        },
        { timeout: 50_000, interval: 50 },
      ),
    balance: () => readBalance(db, userId),
    ledger: () =>
      db
        .selectFrom('ledger')
        .select(['delta', 'reason', 'task_id as taskId'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute(),
  }
}

const waiting = { timeout: 50_000, interval: 20 }

export type TestScreenUser = Awaited<ReturnType<typeof addTestScreener>>

export async function addTestScreener(
  { app, db }: { app: FastifyInstance; db: Database },
  wanted: { credits: number; targets: number; compounds: number },
) {
  const { userId, headers } = await openTestSession(db, { credits: wanted.credits })
  const { targets, compounds } = await addSeries(db, userId, wanted)
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, extra: object = {}) =>
    app.inject({ method, url, headers, ...extra })
  const start = (payload: object = { targets, compounds: 'all' }, key?: string) =>
    call('POST', '/screens', {
      payload,
      headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
    })
  const read = async (id: string) => Screen.parse((await call('GET', `/screens/${id}`)).json())
  const started = async (payload?: object) => Screen.parse((await start(payload)).json())
  return {
    userId,
    headers,
    targets,
    compounds,
    call,
    start,
    read,
    started,
    /** Starts a screen with structure and waits for its predictions, after which its poses are queued. */
    async startPlacing(): Promise<string> {
      const { id } = await started({ targets, compounds: 'all', structure: true })
      await vi.waitFor(
        async () => expect((await read(id)).structure_status).toBe('RUNNING'),
        waiting,
      )
      return id
    },
    untilPlaced: (id: string) =>
      vi.waitFor(async () => {
        const screen = await read(id)
        expect(['DONE', 'FAILED']).toContain(screen.structure_status)
        return screen
      }, waiting),
    untilEnded: (id: string) =>
      vi.waitFor(
        async () => {
          const screen = await read(id)
          expect(['DONE', 'FAILED', 'CANCELLED']).toContain(screen.status)
          return screen
        },
        { timeout: 50_000, interval: 50 },
      ),
    balance: () => readBalance(db, userId),
    ledger: () =>
      db
        .selectFrom('ledger')
        .select(['delta', 'reason', 'balance_after as balance'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute(),
  }
}
