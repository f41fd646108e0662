/** A signed-in user with one pair, who requests predictions and checks their cost. */
import { PredictAnswer, Task } from '@pkdex/contract'
import { expect, vi } from 'vitest'
import { openTestSession } from './open-test-session.ts'
import { readBalance } from '#server/credits/service.ts'
import { addPair, type TestPair, type TestPredictions } from './open-test-predictions.ts'

export type TestUser = Awaited<ReturnType<typeof openTestUser>>

export async function openTestUser({ app, database }: TestPredictions, credits: number) {
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
    /** With another molecule each time. */
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
