/** Places the compounds of screens, block by block, until it is stopped. */
import { findTargets, readStructure } from '#server/files/service.ts'
import type { Placer } from '#server/poses/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { startWorkLoops, type WorkLoops } from '#server/platform/jobs/work-loops.ts'
import type { Log } from '#server/platform/log.ts'
import { sequenceKey } from './pair-key.ts'
import type { BlockAttempt, BlockQueue } from './queue.ts'
import type { PlacedRow } from './structure-cells.ts'
import {
  failAbandonedStructure,
  finishStructureBlock,
  readStructureWork,
  type StructureWork,
} from './structure-store.ts'

export type StructureWorkerDependencies = {
  db: Database
  queue: BlockQueue
  placer: Pick<Placer, 'place' | 'threads'>
  log: Pick<Log, 'error' | 'info'>
  idleMs: number
}

const HEARTBEAT_INTERVAL_MS = 3000
/** At computing the poses, lost ones included. */
const ATTEMPTS = 2

export function startStructureWorker(dependencies: StructureWorkerDependencies): WorkLoops {
  const { db, placer, log, idleMs } = dependencies
  return startWorkLoops({
    name: 'poses',
    threads: placer.threads,
    idleMs,
    workOnce: () => workOnce(dependencies),
    async sweepOnce() {
      for (const jobId of await failAbandonedStructure(db)) {
        log.error({ jobId }, 'a block of poses was left without a job')
      }
    },
    log,
  })
}

/** False where the queue was empty. */
async function workOnce(dependencies: StructureWorkerDependencies): Promise<boolean> {
  const { queue, log } = dependencies
  const [attempt] = await queue.fetch('structure', 1)
  if (attempt === undefined) return false
  const names = { jobId: attempt.id, reqId: attempt.reqId }
  const heartbeats = setInterval(() => {
    queue.heartbeat([attempt]).catch((error: unknown) => {
      log.error({ err: error, ...names }, 'a lease could not be renewed')
    })
  }, HEARTBEAT_INTERVAL_MS)
  try {
    const work = await readStructureWork(dependencies.db, attempt.id)
    const rows = work === null ? [] : await placeRows(dependencies, attempt, work)
    await finishStructureBlock(dependencies, attempt, rows)
  } catch (error) {
    // The queue limits how often; an error of the database does not cost the poses.
    log.error({ err: error, ...names }, 'a block of poses is tried again')
    await queue.requeue(attempt, 'No poses.')
  } finally {
    clearInterval(heartbeats)
  }
  return true
}

const goneReason = 'The structure was deleted or replaced.'

/** Null where the poses cannot be computed. */
async function placeRows(
  { db, placer, log }: StructureWorkerDependencies,
  { id: jobId, reqId, retryCount }: BlockAttempt,
  { userId, target: { name, chain, key }, reference, own, rows }: StructureWork,
): Promise<PlacedRow[] | null> {
  const all = (reason: string) => rows.map(({ standard }) => (standard === null ? null : reason))
  const [target] = await findTargets(db, userId, [name])
  if (target === undefined || !sequenceKey(target.segments[chain] ?? []).equals(key)) {
    return all(goneReason)
  }
  const { content } = await readStructure(db, userId, name)
  const smiles = rows.flatMap(({ standard }) => standard ?? [])
  const question = { content, chain, reference, own, smiles }
  const answer = await placer.place(question).catch((error: unknown) => {
    if (retryCount + 1 < ATTEMPTS) throw error
    log.error({ err: error, jobId, reqId }, 'poses could not be computed')
    return null
  })
  if (answer === null) return null
  if ('reason' in answer) return all(answer.reason)
  let next = 0
  return rows.map(({ standard }) => {
    if (standard === null) return null
    const found = answer.compounds[next++]
    if (found === undefined || typeof found === 'string') return found ?? null
    const { relative, ...features } = found
    return { pose: relative, ...features }
  })
}
