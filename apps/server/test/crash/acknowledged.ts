/** Lets a restarted server finish the tasks it had accepted, and checks their charges. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#server/platform/db/schema.ts'
import { asUser, type SpawnedServer } from './spawned-server.ts'

const DRAIN_MS_MAX = 180_000
/** Longer than the time between two sweeps of the worker. */
const SWEEP_MS = 6500

/** One process or several. */
export type Drained = Pick<SpawnedServer, 'url' | 'stop'>

type Survivor = {
  start: () => Promise<Drained>
  inDatabase: <T>(work: (db: Database) => Promise<T>) => Promise<T>
}

/** Lets the server work until every task has ended, and stops it. */
export async function drain(
  last: Drained,
  key: string,
  done: { taskIds: string[] },
  { start, inDatabase }: Survivor,
): Promise<void> {
  const deadline = Date.now() + DRAIN_MS_MAX
  await untilEnded(last, key, done.taskIds, deadline)
  for (let server = last; ; server = await start()) {
    await sleep(SWEEP_MS)
    await server.stop()
    // Tasks whose response was cut off cannot be polled, and may need a server for longer.
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

type Task = { id: string; status: string }
type LedgerRow = { task_id: string | null; delta: number; balance_after: number }

export function findLost(what: string, acknowledged: string[], kept: Set<string>): string[] {
  return acknowledged.filter((one) => !kept.has(one)).map((one) => `${what} ${one} is gone`)
}

/**
 * A task ends either as a success that was charged once, or as a failure that was refunded once. The refund of a
 * failure may belong to another order, whose payment it took over; the caller compares the sums of both.
 */
export function findWrongCharges(tasks: Task[], ledger: LedgerRow[]): string[] {
  const expected = new Map(
    tasks.map(({ id, status }) => [id, status === 'SUCCESS' ? ['-1'] : ['-1,1', '1']]),
  )
  const charged = Map.groupBy(
    ledger.filter((row) => row.task_id !== null),
    (row) => row.task_id ?? '',
  )
  const open = tasks.filter(({ status }) => status !== 'SUCCESS' && status !== 'FAILURE')
  return [
    ...open.map(({ id, status }) => `task ${id} is still ${status}`),
    ...[...new Set([...expected.keys(), ...charged.keys()])].flatMap((id) => {
      const deltas = (charged.get(id) ?? []).map(({ delta }) => delta).join()
      return expected.get(id)?.includes(deltas) === true ? [] : [`task ${id} was charged ${deltas}`]
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
