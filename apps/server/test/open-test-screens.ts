/** The feature on a fresh database with its real queue, a user with targets and compounds, and a model whose predictions a test sets. */
import { gzipSync } from 'node:zlib'
import { type PredictionResult, Screen } from '@pkdex/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { addTestFile, hash, MODEL_VERSION, openTestEngine } from './open-test-engine.ts'
import { openTestSession } from './open-test-session.ts'
import type { WorkLoops } from '#server/platform/jobs/work-loops.ts'
import { readBalance } from '#server/credits/service.ts'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { openCompoundFacts } from '#server/files/service.ts'
import {
  type Grid,
  GRID_COLUMNS,
  gridColumns,
  type Pair,
  type PairOutcome,
  readOwnValuesSettings,
} from '#server/inference/service.ts'
import type { Placer } from '#server/poses/service.ts'
import { openOwnValuesOfMany } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { readTestConfig } from './open-test-app.ts'
import type { PairsDependencies } from '#server/predictions/predict-pairs.ts'
import { predictionRoutes } from '#server/predictions/routes.ts'
import { pairsRoutes, type ScreenCalls, screenRoutes } from '#server/predictions/screen-routes.ts'
import { noStructures } from '#server/predictions/no-structures.ts'
import type { StructureParts } from '#server/predictions/structure-order.ts'
import {
  startStructureWorker,
  type StructureWorkerDependencies,
} from '#server/predictions/structure-worker.ts'
import { openTableReaders } from '#server/predictions/table-readers.ts'

const settings = readOwnValuesSettings(readTestConfig().modelDir)

export type TestScreens = Awaited<ReturnType<typeof openTestScreens>>
export type TestScreenUser = Awaited<ReturnType<TestScreens['addUser']>>
type PredictGrid = (grid: Grid) => Promise<(Float32Array | null)[]>

type Options = {
  creditsPerPrediction?: number
  storedBytesPerUser?: number
  tableWaitMsMax?: number
  structures?: StructureParts
  /** If given, `POST /predict` and substructure filters work. */
  parsingWorkers?: PairsDependencies['parsingWorkers'] & TestParsingWorkers
}

export async function openTestScreens(options: Options = {}) {
  const { structures = noStructures, parsingWorkers } = options
  const engine = await openTestEngine()
  const { database, boss, queue, openTestQueue, workers, log, stopWorkers } = engine
  const { creditsPerPrediction = 1, storedBytesPerUser = 1e9 } = options
  const parts = { ...engine.parts, ...answering, creditsPerPrediction, storedBytesPerUser }
  const { db, store, now } = parts
  const molecules = parsingWorkers ?? noParsingWorkers
  const ownValues = openOwnValuesOfMany({ database, parsingWorkers: molecules, settings })
  const tableReaders = openTableReaders(options.tableWaitMsMax)
  const readFacts = openCompoundFacts({ db, parsingWorkers: molecules })
  const reading = { parsingWorkers: molecules, tableReaders, ownValues, readFacts }
  const features = [screenRoutes({ ...parts, ...reading, structures }), predictionRoutes(parts)]
  if (parsingWorkers !== undefined) features.push(pairsRoutes({ ...parts, parsingWorkers }))
  const app = await buildApp({ config: readTestConfig(), db, log, now, features })
  function work(predictGrid: PredictGrid = predictTestGrid, modelVersion = MODEL_VERSION) {
    const predict = (pairs: Pair[]) => predictByGrid(predictGrid, pairs)
    engine.start({ predictor: { predict, predictGrid, threads: 1, modelVersion } })
  }
  return {
    app,
    db,
    boss,
    queue,
    store,
    openTestQueue,
    /** The next block of either lane. */
    fetchBlock: async () =>
      (await queue.fetch('small', 1))[0] ?? (await queue.fetch('large', 1))[0],
    work,
    workPoses: workPosesIn(workers, { db, queue, log, idleMs: 50 }),
    workHeld: () => workHeld(work),
    stopWorkers,
    addUser: (wanted: { credits: number; targets: number; compounds: number }) =>
      addTestUser({ app, db }, wanted),
    close: () => engine.close(app),
  }
}

function workPosesIn(workers: Set<WorkLoops>, parts: Omit<StructureWorkerDependencies, 'placer'>) {
  return (place: Placer['place'], queue = parts.queue): void => {
    workers.add(startStructureWorker({ ...parts, queue, placer: { threads: 1, place } }))
  }
}

/** Blocks stay in progress until they are released. */
function workHeld(work: (predictGrid: PredictGrid) => void) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  work(async (grid) => {
    begun.resolve()
    await released.promise
    return predictTestGrid(grid)
  })
  return { begun: begun.promise, release: () => released.resolve() }
}

/** Requests wait for a single prediction. */
const answering = {
  waitingMax: { perUser: 1000, inAll: 1000 },
  answerMs: 20_000,
  lookMs: 20_000,
}

type TestParsingWorkers = ScreenCalls['parsingWorkers'] &
  Pick<ParsingWorkers, 'readFingerprints' | 'recordCompounds' | 'checkPatterns' | 'matchPatterns'>

const noParsingWorkers: TestParsingWorkers = {
  readFingerprints: () => Promise.reject(new Error('these screens have no parsing threads')),
  matchSubstructure: () => Promise.reject(new Error('these screens have no parsing threads')),
  writeMolblocks: () => Promise.reject(new Error('these screens have no parsing threads')),
  recordCompounds: async (_, smiles) => smiles.map(() => null),
  checkPatterns: async (_, smarts) => smarts.map(() => null),
  matchPatterns: async (_, { smiles }) => smiles.map(() => []),
}

/** The prediction of a pair depends only on the lengths of its two sides. */
export async function predictTestGrid({ targets, smiles }: Grid): Promise<Float32Array[]> {
  return smiles.map((one) => {
    const row = new Float32Array(targets.length * GRID_COLUMNS)
    for (const [place, segments] of targets.entries()) {
      const predicted = testNumber(segments, one)
      const columns = row.subarray(place * GRID_COLUMNS)
      columns[gridColumns.predicted] = predicted
      columns[gridColumns.lower] = predicted - 1
      columns[gridColumns.upper] = predicted + 1.5
      columns[gridColumns.isInside] = one.length % 2
      columns[gridColumns.compoundSimilarity] = 0.4
      columns[gridColumns.targetSimilarity] = 1
    }
    return row
  })
}

/** The same predictions one by one. */
async function predictByGrid(predictGrid: PredictGrid, pairs: Pair[]): Promise<PairOutcome[]> {
  return Promise.all(
    pairs.map(async ({ segments, smiles }): Promise<PairOutcome> => {
      const [row] = await predictGrid({ targets: [segments], smiles: [smiles] })
      if (!row) return { ok: false, error: new Error('no') }
      const [predicted, lower, upper] = [
        row[gridColumns.predicted] ?? 0,
        row[gridColumns.lower] ?? 0,
        row[gridColumns.upper] ?? 0,
      ]
      const result: PredictionResult = {
        predicted_kd: predicted,
        unit: 'pKd',
        interval: { lower, upper, level: 0.95 },
        domain: { is_inside: row[gridColumns.isInside] === 1, is_ligand_driven: false, reason: '' },
        nearest_compound: { similarity: 0.4 },
        nearest_targets: [{ name: 'T', similarity: 1 }],
        model_version: MODEL_VERSION,
      }
      return { ok: true, result }
    }),
  )
}

export function testNumber(segments: string[], smiles: string): number {
  return 4 + (segments.join('').length % 5) + (smiles.length % 100) / 100
}

async function addTestUser(
  { app, db }: { app: FastifyInstance; db: Database },
  wanted: { credits: number; targets: number; compounds: number },
) {
  const { userId, headers } = await openTestSession(db, { credits: wanted.credits })
  const fileId = await addTestFile(db, userId, gzipSync('HEADER'))
  const owner = { user_id: userId, file_id: fileId, created_at: new Date() }
  const report = JSON.stringify({})
  const targets = Array.from({ length: wanted.targets }, (_, place) => `T${place + 1}`)
  for (const [place, name] of targets.entries()) {
    const segments = JSON.stringify({ A: ['M'.repeat(place + 3)], B: ['G'.repeat(place + 3)] })
    const target = { ...owner, name, chain: 'A', segments, report, content_hash: hash(name) }
    await db.insertInto('targets').values(target).execute()
  }
  const compounds = Array.from({ length: wanted.compounds }, (_, place) => `C${place + 1}`)
  const molecules = compounds.map((name, place) => ({ name, smiles: `C${'C'.repeat(place)}` }))
  await sql`insert into compounds
    (user_id, file_id, name, smiles, standard_smiles, report, content_hash, created_at)
    select ${userId}, ${fileId}, c ->> 'name', c ->> 'smiles', c ->> 'smiles', '{}',
      sha256(convert_to(c ->> 'smiles', 'UTF8')), now()
    from jsonb_array_elements(${JSON.stringify(molecules)}::jsonb) with ordinality as list (c, place)
    order by place`.execute(db)
  const call = (method: 'GET' | 'POST' | 'DELETE', url: string, extra: object = {}) =>
    app.inject({ method, url, headers, ...extra })
  const start = (payload: object = { targets, compounds: 'all' }, key?: string) =>
    call('POST', '/screens', {
      payload,
      headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
    })
  const read = async (id: string) => Screen.parse((await call('GET', `/screens/${id}`)).json())
  return {
    userId,
    headers,
    targets,
    compounds,
    call,
    start,
    read,
    started: async (payload?: object) => Screen.parse((await start(payload)).json()),
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
