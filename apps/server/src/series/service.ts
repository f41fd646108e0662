/** Runs the computations of series pages off the main thread, one request at a time; users take turns, and can cancel. */
import type { DrawingTheme, SeriesTable, SeriesTableRequest } from '@pkdex/biochem'
import type { SeriesClusters, SeriesPairs } from '@pkdex/contract'
import { AppError } from '#server/platform/errors.ts'
import { busy, openPlaces } from '#server/platform/limits/places.ts'
import { openSteps, openThreadPool, type Outcome } from '#server/platform/jobs/thread-pool.ts'
import type {
  ClustersRequest,
  MadeProducts,
  PairsRequest,
  ProductsRequest,
} from './series-tasks.ts'
import type * as tasks from './series-tasks.ts'

/** `gone` aborts when the client disconnects: the work is then not started, or its thread is stopped. */
export type Asking = { userId: string; gone: AbortSignal }

/** Steps of the request that runs for a user; the total is an estimate. */
type Progress = { done: number; total: number }

export type Series = {
  table(
    asking: Asking,
    request: Omit<SeriesTableRequest, 'smiles'> & { smiles: string[] },
  ): Promise<SeriesTable>
  pairs(
    asking: Asking,
    request: Omit<PairsRequest, 'modelDirectory'> & { theme: DrawingTheme },
  ): Promise<SeriesPairs>
  products(asking: Asking, request: Omit<ProductsRequest, 'modelDirectory'>): Promise<MadeProducts>
  clusters(asking: Asking, request: ClustersRequest): Promise<SeriesClusters>
  /** Null if the user has no running request. */
  progress(userId: string): Progress | null
  close(): Promise<void>
}

/** Maximum number of waiting requests per user. */
const WAITING_MAX = 2
/** 2,000 compounds take 3 s in one step, and many times as long on a busy machine. */
const STEP_MS_MAX = 20_000
/** A request that took longer ends as soon as another user waits. */
const REQUEST_MS_MAX = 30_000
const THREAD_MEMORY_MB_MAX = 1024
/** RDKit uses about 100 MB, which idle threads release. */
const IDLE_MS = 60_000

export function openSeries({ modelDirectory }: { modelDirectory: string }): Series {
  const pool = openThreadPool<typeof tasks>({
    file: new URL('series-tasks.ts', import.meta.url),
    threads: 1,
    memoryMbMax: THREAD_MEMORY_MB_MAX,
    idleMs: IDLE_MS,
  })
  const inTurn = openTurns()
  return {
    table: async (asking, request) =>
      expectCore(
        await inTurn(
          asking,
          (watched) => pool.run('buildTable', request, STEP_MS_MAX, watched),
          'This SAR table takes too long. Select fewer compounds or a larger core.',
        ),
      ),
    pairs: (asking, request) =>
      inTurn(
        asking,
        (watched) => pool.run('findPairs', { ...request, modelDirectory }, STEP_MS_MAX, watched),
        'These pairs take too long. Select fewer compounds.',
      ),
    products: async (asking, request) =>
      expectCore(
        await inTurn(
          asking,
          (watched) =>
            pool.run('findProducts', { ...request, modelDirectory }, STEP_MS_MAX, watched),
          'These products take too long. Select fewer compounds or a larger core.',
        ),
      ),
    clusters: (asking, request) =>
      inTurn(
        asking,
        (watched) => pool.run('findClustersOf', request, STEP_MS_MAX, watched),
        'These clusters take too long. Select fewer compounds.',
      ),
    progress: inTurn.progress,
    close: () => pool.close(),
  }
}

type Watched = { signal: AbortSignal; steps: Int32Array }

function openTurns() {
  const refusal = busy('Your last SAR table is still being computed.')
  const places = openPlaces({
    all: 1,
    perUser: 1,
    waitingMax: WAITING_MAX,
    keptMs: REQUEST_MS_MAX,
    refusal,
  })
  const running = new Map<string, Int32Array>()

  /** Runs in the user's turn; `tooLong` is the message if RDKit does not finish. */
  async function inTurn<T>(
    { userId, gone }: Asking,
    work: (watched: Watched) => Promise<Outcome<T>>,
    tooLong: string,
  ): Promise<T> {
    const place = await places.take(userId, { gone })
    const wanted = new AbortController()
    place.onWanted(() => wanted.abort(new AppError('file_unreadable', tooLong)))
    const steps = openSteps()
    running.set(userId, steps)
    const outcome = await work({ signal: AbortSignal.any([gone, wanted.signal]), steps }).finally(
      () => {
        running.delete(userId)
        place.leave()
      },
    )
    if (outcome.kind === 'done') return outcome.output
    if (outcome.step === 0) throw new Error('the series thread did not start', { cause: outcome })
    throw new AppError('file_unreadable', tooLong)
  }

  function progress(userId: string): Progress | null {
    const steps = running.get(userId)
    if (steps === undefined) return null
    const [done, total] = [Atomics.load(steps, 0), Atomics.load(steps, 1)]
    return { done: Math.min(done, total), total }
  }

  return Object.assign(inTurn, { progress })
}

function expectCore<T>(answer: T | null): T {
  if (answer !== null) return answer
  throw new AppError('invalid_request', 'The core is not a valid structure.')
}
