/** Runs screens over HTTP, from start to end. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiUser } from '../e2e/api-user.ts'

/** How often benchmarks poll a status. */
export const LOOK_MS = 100

/** Fails unless the response is a success. */
export async function answerOf(sent: Response | Promise<Response>) {
  const answer = await sent
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** All compounds of the user on these targets; returns the id. */
export async function startScreen(user: ApiUser, targets: string[]): Promise<string> {
  const key = { 'idempotency-key': randomUUID() }
  const { id } = await answerOf(user.post('/screens', { targets, compounds: 'all' }, key))
  return String(id)
}

/** Returns the id once every pair is predicted. */
export async function runScreen(user: ApiUser, targets: string[]): Promise<string> {
  const id = await startScreen(user, targets)
  for (;;) {
    const { status, done } = await answerOf(user.get(`/screens/${id}`))
    if (status === 'DONE') return id
    if (status !== 'QUEUED' && status !== 'RUNNING') {
      throw new Error(`The screen has ended as ${String(status)} after ${String(done)} pairs.`)
    }
    await delay(LOOK_MS)
  }
}
