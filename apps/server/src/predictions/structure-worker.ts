/** Places the compounds of screens, block by block, until it is stopped. */
import { findTargets, readStructure } from '#server/files/service.ts'
import type { Predictor } from '#server/inference/service.ts'
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
  predictor: Pick<Predictor, 'compare'>
  log: Pick<Log, 'error' | 'info'>
  idleMs: number
}

const HEARTBEAT_INTERVAL_MS = 3000
/** Attempts at computing the poses, including those of dead workers. */
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

/** Returns false if the queue was empty. */
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
    // The queue limits the retries; a database error must not lose the poses.
    log.error({ err: error, ...names }, 'a block of poses is tried again')
    await queue.requeue(attempt, 'No poses.')
  } finally {
    clearInterval(heartbeats)
  }
  return true
}

const goneReason = 'The structure was deleted or replaced.'

/** Null if the poses cannot be computed. */
async function placeRows(
  dependencies: StructureWorkerDependencies,
  { id: jobId, reqId, retryCount }: BlockAttempt,
  work: StructureWork,
): Promise<PlacedRow[] | null> {
  const { db, log } = dependencies
  const { userId, target, rows } = work
  const all = (reason: string) => rows.map(({ standard }) => (standard === null ? null : reason))
  const [found] = await findTargets(db, userId, [target.name])
  if (found === undefined || !sequenceKey(found.segments[target.chain] ?? []).equals(target.key)) {
    return all(goneReason)
  }
  const { content } = await readStructure(db, userId, target.name)
  const answer = await placeMolecules(dependencies, content, work).catch((error: unknown) => {
    if (retryCount + 1 < ATTEMPTS) throw error
    log.error({ err: error, jobId, reqId }, 'poses could not be computed')
    return null
  })
  if (answer === null) return null
  if ('reason' in answer) return all(answer.reason)
  const placed = answer.compounds.values()
  return rows.map(({ standard }) => (standard === null ? null : (placed.next().value ?? null)))
}

/** One entry per row that has a molecule, or the reason why none can be placed. */
async function placeMolecules(
  { placer, predictor }: StructureWorkerDependencies,
  content: string,
  { target: { chain }, reference, own, anchors, rows }: StructureWork,
): Promise<{ reason: string } | { compounds: PlacedRow[] }> {
  const smiles = rows.flatMap(({ standard }) => standard ?? [])
  const answer = await placer.place({ content, chain, reference, own, smiles })
  if ('reason' in answer) return answer
  const placed = smiles.filter((_, at) => typeof answer.compounds[at] !== 'string')
  const isCompared = anchors.length > 0 && placed.length > 0
  const differences = isCompared ? await predictor.compare({ smiles: placed, anchors }) : []
  let next = 0
  const compounds = answer.compounds.map((found) => {
    if (typeof found === 'string') return found
    const { relative, ...features } = found
    return { ...features, pose: relative, difference: differences[next++] ?? null }
  })
  return { compounds }
}
