/** Order, filters and pages of a screen, compared with a plain sort of the same pairs. */
import { randomUUID } from 'node:crypto'
import { ScreenResultsQuery, type ScreenSort } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'
import { openTestSession } from '#test/factories.ts'
import type { Best } from './best-estimates.ts'
import { findPairs } from './find-pairs.ts'
import { readPairs, toRow } from './results.ts'
import { type ScreenTable, tableOf } from './screen-table.ts'

const database = await openTestDatabase()
const { db } = database
afterAll(() => database.close())
const { userId } = await openTestSession(db)

const ROWS = 200
const targets = ['T1', 'T2', 'T3'].map((name) => ({ name, chain: 'A' }))
const width = targets.length
const places = Array.from({ length: ROWS * width }, (_, place) => place)

type Pair = { predicted: number; half: number; compound: number; target: number }

/** Millionths of a pKd; null: no number. */
type PairAt = (place: number) => Pair | null

const near = (place: number) => ({
  half: 1_000_000 + ((place * 7) % 10) * 100_000,
  compound: (place * 31) % 50,
  target: (place * 17) % 40,
})
const tables: Record<string, PairAt> = {
  'without ties': (place) =>
    place % 97 === 0
      ? null
      : { predicted: 4_000_000 + ((place * 7919) % 9001) * 500, ...near(place) },
  'with many ties': (place) =>
    place % 5 === 0
      ? null
      : { predicted: 4_000_000 + ((place * 7919) % 11) * 1_000_000, ...near(place) },
  'of equal numbers': () => ({ predicted: 6_000_000, half: 1_000_000, compound: 9, target: 9 }),
  'without numbers': () => null,
}

/** Every third pair is not moved. */
const shiftOf = (place: number) => (place % 3 === 0 ? null : ((place * 13) % 7) / 5)

/** Stores the screen. */
async function makeTable(pairAt: PairAt): Promise<ScreenTable> {
  const id = randomUUID()
  const numbers = {
    targets: width,
    compounds: ROWS,
    total: ROWS * width,
    done: 0,
    known: 0,
    paid: 0,
  }
  const price = { credits_per_pair: 1, credits_charged: 0, bytes: 0 }
  const { number } = await db
    .insertInto('orders')
    .values({
      id,
      user_id: userId,
      kind: 'screen',
      status: 'DONE',
      ...numbers,
      ...price,
      idempotency_key: null,
      request_hash: null,
      model_version: '1',
      message: null,
      created_at: new Date(),
      started_at: null,
      finished_at: null,
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  await sql`insert into blocks (order_id, block, job_id, user_id, status, first_row, rows, usable, turn)
    values (${id}, 0, ${id}, ${userId}, 'DONE', 0, ${ROWS}, ${ROWS}, 0)`.execute(db)
  await sql`insert into order_rows (order_number, row, block, name, smiles, standard)
    select ${number}::int, row, 0, 'C' || row, 'C', 'C' from generate_series(0, ${ROWS - 1}::int) as row`.execute(
    db,
  )
  const stored = places.flatMap((place) => {
    const pair = pairAt(place)
    if (pair === null) return []
    const { predicted, half, compound, target } = pair
    return [
      {
        order_number: number,
        row: Math.floor(place / width),
        place: place % width,
        sequence_id: 0,
        predicted,
        lower: predicted - half,
        upper: predicted + half,
        is_payer: false,
        compound_similarity: compound,
        target_similarity: target,
        is_ligand_driven: false,
        compound_key: Buffer.alloc(8),
        model_version: '1',
        domain_state: place % 2 === 0 ? ('outside' as const) : ('inside' as const),
      },
    ]
  })
  if (stored.length > 0) await db.insertInto('pairs').values(stored).execute()
  return tableOf({ id, targets, compounds: ROWS, model_version: '1' })
}

/** Null comes last in either order; ties keep the order of the input. */
function sortBy<One>(all: One[], order: 'asc' | 'desc', keyOf: (one: One) => number | null): One[] {
  const sign = order === 'asc' ? 1 : -1
  const having = all.filter((one) => keyOf(one) !== null)
  const without = all.filter((one) => keyOf(one) === null)
  return [...having.toSorted((a, b) => sign * (Number(keyOf(a)) - Number(keyOf(b)))), ...without]
}

function valueAt(pairAt: PairAt, place: number, isMoved: boolean): number | null {
  const pair = pairAt(place)
  const shift = isMoved ? shiftOf(place) : null
  return pair && pair.predicted + Math.round((shift ?? 0) * 1e6)
}

/** The best estimates of the pairs that have a shift; their intervals are narrower. */
function movedOf(pairAt: PairAt): Map<number, Best> {
  return new Map(
    places.flatMap((place) => {
      const [pair, shift] = [pairAt(place), shiftOf(place)]
      return pair === null || shift === null ? [] : [[place, bestAt(pair, shift)] as const]
    }),
  )
}

function bestAt({ predicted, half }: { predicted: number; half: number }, shift: number): Best {
  const value = (predicted + Math.round(shift * 1e6)) / 1e6
  const [lower, upper] = [value - half / 2e6, value + half / 2e6]
  return { predicted: value, lower, upper, pose: null, ownValues: 1 }
}

function selectivityAt(pairAt: PairAt, place: number, isMoved: boolean): number | null {
  const own = valueAt(pairAt, place, isMoved)
  const first = place - (place % width)
  const others = [first, first + 1, first + 2]
    .filter((other) => other !== place)
    .flatMap((other) => valueAt(pairAt, other, isMoved) ?? [])
  return own === null || others.length === 0 ? null : own - Math.max(...others)
}

/** A property of compounds that the database does not know: pairs without a number have it too. */
const propertyAt = (place: number) => (place % 4 === 0 ? null : ((place * 13) % 29) * 1e9)

function keyOf(pairAt: PairAt, sort: ScreenSort, isMoved: boolean) {
  if (sort === 'log_p') return propertyAt
  return (place: number): number | null => {
    const pair = pairAt(place)
    if (pair === null) return null
    const { half, compound, target } = pair
    if (sort === 'affinity') return valueAt(pairAt, place, isMoved)
    if (sort === 'selectivity') return selectivityAt(pairAt, place, isMoved)
    if (sort === 'interval') return isMoved && shiftOf(place) !== null ? half : 2 * half
    if (sort === 'nearest') return Math.min(compound, target)
    return sort === 'compound_similarity' ? compound : target
  }
}

const sorts = [
  'affinity',
  'selectivity',
  'interval',
  'nearest',
  'compound_similarity',
  'target_similarity',
  'log_p',
] as const

type Asked = { by?: 'pair' | 'compound'; column?: number; page?: number; [filter: string]: unknown }

function ask(
  table: ScreenTable,
  query: Asked & { sort: ScreenSort; order: 'asc' | 'desc' },
  isWhole = false,
) {
  const { column, ...rest } = query
  const parsed = ScreenResultsQuery.parse({ page_size: 50, ...rest, ...(column && { column }) })
  const keyAt = query.sort === 'log_p' && { keyAt: propertyAt }
  return findPairs(db, table, { ...parsed, isWhole }, { rows: null, ...keyAt })
}

type Ordered = {
  pairAt: PairAt
  table: ScreenTable
  sort: (typeof sorts)[number]
  order: 'asc' | 'desc'
}

async function expectByPair({ pairAt, table, sort, order }: Ordered): Promise<void> {
  const all = sortBy(places, order, keyOf(pairAt, sort, table.moved !== null))
  const said = { sort, order, isMoved: table.moved !== null }
  const found = await ask(table, { sort, order }, true)
  expect({ ...said, ...found }).toEqual({ ...said, places: all, total: all.length })
  for (const page of [1, 2, 7, 12, 13]) {
    const { places: shown } = await ask(table, { sort, order, page })
    expect(shown).toEqual(all.slice((page - 1) * 50, page * 50))
  }
}

/** By the first pair of each compound, or by its pair in this column, from 1. */
async function expectByCompound(ordered: Ordered, column?: number): Promise<void> {
  const { pairAt, table, sort, order } = ordered
  const key = keyOf(pairAt, sort, table.moved !== null)
  const keyOfRow = (row: number) => {
    if (column !== undefined) return key(row * width + column - 1)
    const keys = [0, 1, 2].flatMap((at) => key(row * width + at) ?? [])
    if (keys.length === 0) return null
    return order === 'asc' ? Math.min(...keys) : Math.max(...keys)
  }
  const rows = sortBy(
    Array.from({ length: ROWS }, (_, row) => row),
    order,
    keyOfRow,
  )
  for (const page of [1, 3, 13]) {
    const query = { sort, order, by: 'compound' as const, page, ...(column && { column }) }
    const shown = rows.slice((page - 1) * 16, page * 16)
    expect(await ask(table, query)).toEqual({
      places: shown.flatMap((row) => [0, 1, 2].map((at) => row * width + at)),
      total: ROWS,
    })
  }
}

test.each(Object.entries(tables))(
  'every page of a screen %s is that part of the whole order',
  async (_, pairAt) => {
    const plain = await makeTable(pairAt)
    const every = [null, movedOf(pairAt)].flatMap((moved) =>
      sorts.flatMap((sort) => (['asc', 'desc'] as const).map((order) => ({ moved, sort, order }))),
    )
    for (const { moved, ...by } of every) {
      const ordered = { pairAt, table: { ...plain, moved }, ...by }
      await expectByPair(ordered)
      await expectByCompound(ordered)
      await expectByCompound(ordered, 2)
    }
    expect(every).toHaveLength(28)
  },
)

test('filters on the number keep the order, and what has no number does not match', async () => {
  const pairAt = tables['with many ties'] ?? (() => null)
  const table = await makeTable(pairAt)
  const isMatch = (place: number) => {
    const pair = pairAt(place)
    return pair !== null && pair.predicted >= 6e6 && pair.predicted <= 11e6 && place % 2 === 1
  }
  const matching = places.filter(isMatch)
  expect(matching.length).toBeGreaterThan(100)
  const filter = { min: '6', max: '11', in_domain: 'true' }
  const sorted = sortBy(matching, 'desc', (place) => pairAt(place)?.predicted ?? null)
  const page = { ...filter, sort: 'affinity', order: 'desc', page: 2 } as const
  expect(await ask(table, page)).toEqual({ places: sorted.slice(50, 100), total: matching.length })
  const byProperty = await ask(table, { ...filter, sort: 'log_p', order: 'asc' }, true)
  expect(byProperty.places).toEqual(sortBy(matching, 'asc', propertyAt))
  const input = { ...filter, sort: 'input', order: 'desc', target: 'T2' } as const
  const onTarget = matching.filter((place) => place % width === 1)
  expect(await ask(table, input, true)).toEqual({
    places: onTarget.toReversed(),
    total: onTarget.length,
  })
  const rows = [...new Set(matching.map((place) => Math.floor(place / width)))]
  const byCompound = await ask(table, { ...filter, sort: 'input', order: 'asc', by: 'compound' })
  expect(byCompound.total).toBe(rows.length)
  expect(byCompound.places.slice(0, 3)).toEqual([0, 1, 2].map((at) => (rows[0] ?? 0) * width + at))
})

test('a bound that is a shown number keeps that number', async () => {
  const isInexact = (step: number) => (step / 1e6) * 1e6 !== step
  const all = Array.from({ length: 100_000 }, (_, at) => 7_950_000 + at)
  const steps = all.filter(isInexact).slice(-ROWS * width)
  expect(steps.some((step) => (step / 1e6) * 1e6 > step)).toBe(true)
  expect(steps.some((step) => (step / 1e6) * 1e6 < step)).toBe(true)
  const table = await makeTable((place) => ({ ...near(0), predicted: steps[place] ?? 0 }))
  for (const [place, step] of steps.entries()) {
    const shown = step / 1e6
    const query = { sort: 'input', order: 'asc', min: shown, max: shown } as const
    expect((await ask(table, query)).places).toEqual([place])
  }
})

test('bounds, order and selectivity follow the best estimate', async () => {
  const pkd = [7.6, 6, 7.4, 6, 7.9, 6]
  const shifts = [0.2, 0, 1, 1.5]
  const plain = await makeTable((place) => {
    const predicted = pkd[place]
    return predicted === undefined ? null : { ...near(0), predicted: predicted * 1e6 }
  })
  const moved = new Map(
    shifts.map((shift, place) => {
      const pair = { ...near(0), predicted: (pkd[place] ?? 0) * 1e6 }
      return [place, bestAt(pair, shift)] as const
    }),
  )
  const table = { ...plain, moved }
  const least = { sort: 'affinity', order: 'desc', min: '7.5' } as const
  expect((await ask(plain, least)).places).toEqual([4, 0])
  expect((await ask(table, least)).places).toEqual([2, 4, 0, 3])
  const [one, other] = (await readPairs(db, table, [2, 4])).map((pair) => toRow(table, pair))
  expect(one).toMatchObject({ predicted_kd: 7.4, best_kd: 8.4, selectivity: 0.6 })
  expect(other).toMatchObject({ predicted_kd: 7.9, best_kd: 7.9, selectivity: 0.4 })
})
