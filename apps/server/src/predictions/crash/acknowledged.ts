/** What a server that is killed said was done before, and whether all of it is there afterwards. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PredictionResult } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { asUser, type SpawnedServer } from './spawned-server.ts'

const DRAIN_MS_MAX = 180_000
/** Longer than the worker takes from one sweep to the next. */
const SWEEP_MS = 6500

/** What the server said was done: none of it may be lost. */
export type Acknowledged = {
  compounds: string[]
  taskIds: string[]
  answered: { compound: string; predictedKd: number }[]
}

/** One process or several. */
type Drained = Pick<SpawnedServer, 'url' | 'stop'>

type Survivor = {
  start: () => Promise<Drained>
  inDatabase: <T>(work: (db: Database) => Promise<T>) => Promise<T>
}

/** Lets the server work until every task has ended, and stops it. */
export async function drain(
  last: Drained,
  key: string,
  done: Pick<Acknowledged, 'taskIds'>,
  { start, inDatabase }: Survivor,
): Promise<void> {
  const deadline = Date.now() + DRAIN_MS_MAX
  await untilEnded(last, key, done.taskIds, deadline)
  for (let server = last; ; server = await start()) {
    await sleep(SWEEP_MS)
    await server.stop()
    // Tasks whose request was cut off are nobody's to poll, and may need a server for longer.
    if ((await inDatabase(hasNoOpenTasks)) || Date.now() > deadline) return
  }
}

async function untilEnded(server: Drained, key: string, taskIds: string[], deadline: number) {
  const user = asUser(server.url, key)
  const open = new Set(taskIds)
  while (open.size > 0) {
    for (const taskId of open) {
      const { status } = await user.task(taskId)
      if (status !== 'SUCCESS' && status !== 'FAILURE') break
      open.delete(taskId)
    }
    if (Date.now() > deadline) throw new Error(`${open.size} tasks did not end`)
    await sleep(200)
  }
}

async function hasNoOpenTasks(db: Database): Promise<boolean> {
  const open = db.selectFrom('tasks').select('id').where('status', 'in', ['PENDING', 'STARTED'])
  return (await open.executeTakeFirst()) === undefined
}

/** Of the tasks in the database. */
export async function wordTasks(db: Database): Promise<string> {
  const tasks = await db.selectFrom('tasks').select('status').execute()
  const failed = tasks.filter(({ status }) => status === 'FAILURE').length
  return `${tasks.length} tasks ended, ${failed} of them failed and refunded`
}

type Task = {
  id: string
  compound_id: string | null
  status: string
  result: PredictionResult | null
}
type LedgerRow = { task_id: string | null; delta: number; balance_after: number }

/** Everything that is not as it was acknowledged, in words. */
export async function findLosses(db: Database, done: Acknowledged): Promise<string[]> {
  const tasks = await db.selectFrom('tasks').selectAll().execute()
  const ledger = await db.selectFrom('ledger').selectAll().orderBy('id').execute()
  const compounds = await db.selectFrom('compounds').select(['id', 'name']).execute()
  const { credits } = await db.selectFrom('users').select('credits').executeTakeFirstOrThrow()
  return [
    ...findLost('compound', done.compounds, new Set(compounds.map(({ name }) => name))),
    ...findLost('task', done.taskIds, new Set(tasks.map(({ id }) => id))),
    ...findLostAnswers(done, tasks, new Map(compounds.map(({ id, name }) => [name, id]))),
    ...findWrongCharges(tasks, ledger),
    ...findWrongBalance(credits, ledger),
  ]
}

export function findLost(what: string, acknowledged: string[], kept: Set<string>): string[] {
  return acknowledged.filter((one) => !kept.has(one)).map((one) => `${what} ${one} is gone`)
}

function findLostAnswers(done: Acknowledged, tasks: Task[], ids: Map<string, string>): string[] {
  const succeeded = tasks.filter(({ status }) => status === 'SUCCESS')
  const byCompound = new Map(succeeded.map((task) => [task.compound_id, task.result?.predicted_kd]))
  const twice = succeeded.length - byCompound.size
  const lost = done.answered.filter(
    ({ compound, predictedKd }) => byCompound.get(ids.get(compound) ?? '') !== predictedKd,
  )
  return [
    ...lost.map(({ compound }) => `the answer for ${compound} is gone`),
    ...(twice > 0 ? [`${twice} pairs were predicted twice`] : []),
  ]
}

/** A task ends as a success that was charged once, or as a failure that was charged and refunded once. */
export function findWrongCharges(tasks: Task[], ledger: LedgerRow[]): string[] {
  const expected = new Map(
    tasks.map(({ id, status }) => [id, status === 'SUCCESS' ? '-1' : '-1,1']),
  )
  const charged = Map.groupBy(
    ledger.filter((row) => row.task_id !== null),
    (row) => row.task_id ?? '',
  )
  const open = tasks.filter(({ status }) => status !== 'SUCCESS' && status !== 'FAILURE')
  return [
    ...open.map(({ id, status }) => `task ${id} is still ${status}`),
    ...[...expected.keys(), ...charged.keys()].flatMap((id) => {
      const deltas = charged
        .get(id)
        ?.map(({ delta }) => delta)
        .join()
      return deltas === expected.get(id) ? [] : [`task ${id} was charged ${deltas}`]
    }),
  ]
}

export function findWrongBalance(credits: number, ledger: LedgerRow[]): string[] {
  const sum = ledger.reduce((total, row) => total + row.delta, 0)
  const last = ledger.at(-1)?.balance_after
  return credits === sum && credits === last
    ? []
    : [`the balance is ${credits}, the ledger adds up to ${sum} and ends at ${last}`]
}
