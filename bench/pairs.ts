/**
 * Processor time of what a screen of 50,000 pairs does in the embedded database, without the model: store, page, map,
 * repeat and delete, each beside one insert of the same rows into a copy of the table; and the bytes of a pair.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
/* oxlint-disable no-restricted-imports -- the database work of the product is measured without model and HTTP */
import { openDatabase } from '../apps/server/src/platform/db/open.ts'
import { inTransaction } from '../apps/server/src/platform/db/transaction.ts'
import { closeQueue, openQueue } from '../apps/server/src/platform/jobs/queue.ts'
import { noSignals } from '../apps/server/src/platform/jobs/signals.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
import { findPairs } from '../apps/server/src/predictions/find-pairs.ts'
import { readMatrix } from '../apps/server/src/predictions/matrix.ts'
import { placeOrder } from '../apps/server/src/predictions/order.ts'
import { compoundKey, sequenceKey } from '../apps/server/src/predictions/pair-key.ts'
import { openBlockQueue } from '../apps/server/src/predictions/queue.ts'
import { readPairs } from '../apps/server/src/predictions/results.ts'
import { readInput, tableOf } from '../apps/server/src/predictions/screen-table.ts'
import { openSeenWaiting } from '../apps/server/src/predictions/seen-waiting.ts'
import { holdOrders } from '../apps/server/src/predictions/settle.ts'
import { openOrderStore } from '../apps/server/src/predictions/store.ts'
/* oxlint-enable no-restricted-imports */
import { ScreenResultsQuery } from '../packages/contract/src/index.ts'
import { type Figure, limited } from './figure.ts'

const COMPOUNDS = 5000
const TARGETS = 10
const PAIRS = COMPOUNDS * TARGETS
const BYTES_MAX = 200
const PAGE_MS_MAX = 25
const modelVersion = 'bench'

export async function measurePairs(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-pairs-'))
  const bench = await openBench(folder)
  try {
    return await measure(bench)
  } finally {
    await bench.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Bench = Awaited<ReturnType<typeof openBench>>

async function measure({ db, start, work, store, userId }: Bench): Promise<Figure[]> {
  const empty = await sizeOf(db)
  const first = await start()
  const stored = await processorMs(work)
  const bytes = ((await sizeOf(db)) - empty) / PAIRS
  await sql`create table copied (like pairs including all)`.execute(db)
  const insert = await processorMs(() => sql`insert into copied select * from pairs`.execute(db))
  await sql`drop table copied`.execute(db)
  // Plans that are good without statistics may be bad with them.
  await sql`vacuum analyze`.execute(db)
  const screen = await store.read(userId, first)
  if (screen === null) throw new Error('The screen is not there.')
  const table = tableOf(screen)
  const query = {
    ...ScreenResultsQuery.parse({ sort: 'affinity', page_size: '50' }),
    isWhole: false,
  }
  const page = await processorMs(async () => {
    for (let round = 0; round < 10; round += 1) {
      const { places } = await findPairs(db, table, query, { rows: null })
      await readPairs(db, table, places)
    }
  })
  const matrix = await processorMs(async () => {
    const input = await readInput(db, table)
    const { signal: gone } = new AbortController()
    await readMatrix(db, table, { input, failed: [], withDetails: false, gone })
  })
  const repeat = await processorMs(start)
  const remove = await processorMs(() => store.remove(userId, first))
  const what = `${PAIRS.toLocaleString('en')} pairs`
  const beside = (name: string, measured: number, times: number): Figure => ({
    name: `${name}, processor time`,
    measured,
    unit: 'ms',
    against: { name: `${times} × one insert of the same rows`, value: times * insert },
  })
  return [
    beside(`store ${what}`, stored, 5),
    beside(`repeat a known screen of ${what}`, repeat, 3),
    beside(`delete a screen of ${what} that another screen has too`, remove, 5),
    beside(`read the map of ${what}`, matrix, 1),
    {
      ...limited(`a page of ${what} by affinity, processor time`, page / 10, 'ms', PAGE_MS_MAX),
      isAim: true,
    },
    limited('bytes per pair of a screen, rows and indexes', bytes, 'bytes', BYTES_MAX),
  ]
}

async function openBench(dataDir: string) {
  const log = openLog('silent')
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log })
  const { db } = database
  const boss = await openQueue(database, log)
  const queue = await openBlockQueue(boss, true)
  const now = () => new Date()
  const seenWaiting = openSeenWaiting(() => performance.now())
  const store = openOrderStore({ db, queue, now, signals: noSignals, seenWaiting })
  const { id: userId } = await db
    .insertInto('users')
    .values({ email: 'bench@example.org', name: 'Bench', credits: 2 * PAIRS, created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const plan = makePlan()
  const start = () =>
    inTransaction(db, async (trx) => {
      await holdOrders(trx, userId)
      const order = { userId, kind: 'screen', idempotencyKey: null, reqId: 'bench' } as const
      const limits = { creditsPerPrediction: 1, storedBytesPerUser: 1e9, modelVersion }
      const placed = { ...order, requestHash: null, plan }
      return (await placeOrder({ store, ...limits }, trx, placed)).id
    })
  const work = async () => {
    for (let [attempt] = await queue.fetch('large', 1); attempt !== undefined;) {
      const block = (await store.readWork([attempt.id])).get(attempt.id)
      const pairs = (block?.rows ?? []).flatMap(({ row }) =>
        plan.targets.map((_, place) => ({ row, place, ...numberAt(row, place) })),
      )
      await store.finishBlock(attempt, { pairs, failed: 0, modelVersion })
      ;[attempt] = await queue.fetch('large', 1)
    }
  }
  const close = async () => {
    await closeQueue(boss)
    await database.close()
  }
  return { db, store, userId, start: () => start(), work, close }
}

function makePlan() {
  const targets = Array.from({ length: TARGETS }, (_, at) => {
    const segments = ['M'.repeat(at + 3)]
    return { name: `target-${at}`, chain: 'A', segments, key: sequenceKey(segments) }
  })
  // As long as the median of a library.
  const rows = Array.from({ length: COMPOUNDS }, (_, at) => {
    const smiles = `CC(C)Cc1ccc(cc1)C(C)C(=O)N${at}C(=O)OC1CCNCC1`
    return { name: `compound-${at}`, smiles, standard: smiles, reason: null }
  })
  const keys = rows.map(({ smiles }) => compoundKey(smiles).toString('latin1'))
  return { targets, rows, keys, unusable: [], total: PAIRS }
}

function numberAt(row: number, place: number) {
  const predicted = 4 + ((row * 31 + place * 17) % 6000) / 1000
  return {
    predicted,
    lower: predicted - 1,
    upper: predicted + 1,
    domainState: 'outside' as const,
    isLigandDriven: false,
    compoundSimilarity: 0.4,
    targetSimilarity: 1,
  }
}

async function processorMs(run: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

async function sizeOf(db: Bench['db']): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_total_relation_size(name::regclass)) as bytes
    from unnest(array['orders', 'order_rows', 'pairs', 'blocks']) as name`.execute(db)
  return rows[0]?.bytes ?? 0
}
