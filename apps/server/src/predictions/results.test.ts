import {
  type Screen,
  type ScreenBlock,
  ScreenMatrix,
  type ScreenRow,
  screenRowColumns,
} from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testNumber } from '#test/open-test-grid.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { orderNumber } from './screen-table.ts'

const t = await openTestPredictions()
t.work()
const user = await t.addUser({ credits: 5000, targets: 3, compounds: 30 })
/** Two targets and five input rows: one compound is unknown and one is listed twice. */
const id = (
  await user.started({ targets: ['T1', 'T3'], compounds: ['C9', 'C2', '=x', 'C30', 'C2'] })
).id
await user.untilEnded(id)
afterAll(() => t.close())

async function rowsOf(query: string): Promise<ScreenRow[]> {
  const answer = await user.call('GET', `/screens/${id}/results?${query}`)
  return answer.json<{ rows: ScreenRow[] }>().rows
}

const placesOf = (rows: ScreenRow[]) => rows.map(({ row, target }) => `${row} ${target}`)
const number = (target: number, compound: number) =>
  testNumber(['M'.repeat(target + 2)], 'C'.repeat(compound))

test('rows are in input order, each with its prediction, interval and neighbours', async () => {
  const rows = await rowsOf('')
  expect(placesOf(rows)).toEqual([1, 2, 3, 4, 5].flatMap((row) => [`${row} T1`, `${row} T3`]))
  expect(rows[0]).toMatchObject({
    row: 1,
    compound: 'C9',
    smiles: 'C'.repeat(9),
    target: 'T1',
    chain: 'A',
    predicted_kd: number(1, 9),
    lower: number(1, 9) - 1,
    upper: number(1, 9) + 1.5,
    in_domain: true,
    domain_state: 'known_on_target',
    is_ligand_driven: false,
    compound_similarity: 0.4,
    target_similarity: 1,
    selectivity: number(1, 9) - number(3, 9),
    selectivity_error: expect.closeTo(Math.hypot(1, 1.5), 3),
    reason: null,
    own_values: null,
    best_kd: number(1, 9),
    best_lower: number(1, 9) - 1,
    best_upper: number(1, 9) + 1.5,
  })
  expect(rows[4]).toMatchObject({
    compound: '=x',
    predicted_kd: null,
    reason: 'You have no compound named “=x”.',
  })
})

test('SPEC 20.8: results are paged, sorted and filtered, and rows without a prediction come last', async () => {
  const all = await rowsOf('sort=affinity')
  const numbers = all.map(({ predicted_kd }) => predicted_kd)
  expect(numbers.slice(0, 8)).toEqual(
    numbers.slice(0, 8).toSorted((one, other) => (other ?? 0) - (one ?? 0)),
  )
  expect(numbers.slice(8)).toEqual([null, null])
  expect(await rowsOf('sort=affinity&page=2&page_size=3')).toEqual(all.slice(3, 6))
  expect((await rowsOf('sort=affinity&order=asc'))[0]?.predicted_kd).toBe(number(3, 2))
  const selective = await rowsOf('sort=selectivity')
  expect(selective[0]?.selectivity).toBeGreaterThan(0)
  expect(placesOf(await rowsOf('target=T3&text=c2'))).toEqual(['2 T3', '5 T3'])
  expect(placesOf(await rowsOf('in_domain=true'))).toEqual(['1 T1', '1 T3'])
  expect(placesOf(await rowsOf('domain_state=known_on_target'))).toEqual(['1 T1', '1 T3'])
  expect(await rowsOf('domain_state=known_on_other_targets')).toEqual([])
  expect(await rowsOf('domain_state=outside')).toHaveLength(6)
  const least = number(1, 9)
  for (const { predicted_kd } of await rowsOf(`min=${least}`)) {
    expect(predicted_kd).toBeGreaterThanOrEqual(least)
  }
  const answer = await user.call('GET', `/screens/${id}/results?max=5&page_size=1`)
  expect(answer.headers['x-total-count']).toBe(
    String(numbers.filter((value) => value !== null && value <= 5).length),
  )
})

test('SPEC 20.17: a sorted or filtered page reads only the rows it shows', async () => {
  const many = await t.addUser({ credits: 5000, targets: 1, compounds: 600 })
  const screen = await many.started({ targets: many.targets, compounds: 'all' })
  await many.untilEnded(screen.id)
  const page = (query: string) =>
    many.call('GET', `/screens/${screen.id}/results?page_size=2&${query}`)
  const rowsOn = async (query: string) => (await page(query)).json<{ rows: ScreenRow[] }>().rows
  const queries = ['sort=affinity', 'sort=interval&min=0', 'sort=nearest&domain_state=outside']
  for (const query of queries) {
    const before = await rowsOn(query)
    expect(before).toHaveLength(2)
    const shown = before.map(({ row }) => row - 1)
    // Other rows are not there: whoever reads them finds fewer.
    await sql`create table hidden as select * from order_rows
      where order_number = ${orderNumber(screen.id)} and row <> all(${shown}::int[])`.execute(t.db)
    await sql`delete from order_rows where (order_number, row) in (select order_number, row from hidden)`.execute(
      t.db,
    )
    expect(await rowsOn(query)).toEqual(before)
    expect((await page(`${query}&text=c`)).headers['x-total-count']).toBe('2')
    await sql`insert into order_rows select * from hidden`.execute(t.db)
    await sql`drop table hidden`.execute(t.db)
  }
})

test('numbers that arrive while a screen runs are shown', async () => {
  const one = await openTestPredictions()
  const owner = await one.addUser({ credits: 100, targets: 1, compounds: 10 })
  const screen = await owner.started()
  const page = async () => {
    const answer = await owner.call('GET', `/screens/${screen.id}/results?sort=affinity`)
    return answer.json<{ rows: ScreenRow[] }>().rows
  }
  expect((await page()).every(({ predicted_kd }) => predicted_kd === null)).toBe(true)
  one.work()
  await owner.untilEnded(screen.id)
  const ended = await page()
  expect(ended.every(({ predicted_kd }) => predicted_kd !== null)).toBe(true)
  await one.close()
})

test('by compound, a page has whole compounds, sorted by their value on one target', async () => {
  const rows = await rowsOf('by=compound&sort=affinity&column=2')
  expect(placesOf(rows).slice(0, 2)).toEqual(['4 T1', '4 T3'])
  const onSecond = rows.filter(({ target }) => target === 'T3').map((row) => row.predicted_kd)
  expect(onSecond.slice(0, 4)).toEqual(
    onSecond.slice(0, 4).toSorted((one, other) => (other ?? 0) - (one ?? 0)),
  )
  expect(onSecond.at(-1)).toBeNull()
  // Five pairs are two compounds of two targets.
  expect(await rowsOf('by=compound&sort=affinity&column=2&page=2&page_size=5')).toEqual(
    rows.slice(4, 8),
  )
  const matching = await user.call('GET', `/screens/${id}/results?by=compound&target=T3&text=c2`)
  expect(matching.headers['x-total-count']).toBe('2')
  expect(placesOf(matching.json<{ rows: ScreenRow[] }>().rows)).toEqual([
    '2 T1',
    '2 T3',
    '5 T1',
    '5 T3',
  ])
})

test('NDJSON has one line per matching row', async () => {
  const headers = { ...user.headers, accept: 'application/x-ndjson' }
  const { body } = await user.call('GET', `/screens/${id}/results?sort=interval`, { headers })
  const lines = body.trimEnd().split('\n')
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(await rowsOf('sort=interval'))
})

test('SPEC 20.10: the CSV has every row in input order, with the reason if there is no prediction', async () => {
  const { body, headers } = await user.call('GET', `/screens/${id}/results.csv`)
  expect(headers['content-type']).toContain('text/csv')
  const lines = body.trimEnd().split('\r\n')
  expect(lines).toHaveLength(11)
  expect(lines[0]).toMatch(
    /^row,compound,smiles,target,chain,pKd,Lower 95%,Upper 95%,pKd \(sequence\),.*,Model version,Screen$/,
  )
  expect(lines[1]).toMatch(/^1,C9,CCCCCCCCC,T1,A,\d/)
  // A spreadsheet must not run the name as a formula.
  const { model_version } = (await user.call('GET', `/screens/${id}`)).json<Screen>()
  expect(model_version).not.toBe('')
  const unknown = "3,'=x,,T1,A,,,,,,,,,,,,,,You have no compound named “=x”."
  // Also empty without a compound: properties, measured value, efficiencies and alerts.
  const details = ','.repeat(screenRowColumns.length - screenRowColumns.indexOf('reason') - 1)
  expect(lines[5]).toBe(`${unknown}${details},${model_version},${id}`)
})

test('with details the matrix contains each interval and the similarity to training data', async () => {
  const answer = await user.call('GET', `/screens/${id}/matrix?details=true`)
  const matrix = ScreenMatrix.parse(answer.json())
  expect(matrix.smiles?.slice(0, 2)).toEqual(['C'.repeat(9), 'CC'])
  const widths = Buffer.from(matrix.interval_width ?? '', 'base64')
  expect(widths.readUInt16LE(0)).toBe(250)
  const lower = Buffer.from(matrix.interval_lower ?? '', 'base64').readInt16LE(0)
  expect(lower).toBe(Math.round(100 * (number(1, 9) - 1)))
  // The row of the unknown compound.
  expect(widths.readUInt16LE(2 * 4)).toBe(0)
  expect(Buffer.from(matrix.compound_similarity ?? '', 'base64')[0]).toBe(0.4 * 255)
  expect(Buffer.from(matrix.target_similarity ?? '', 'base64')[0]).toBe(255)
})

test('the matrix contains all predictions in compact form', async () => {
  const matrix = ScreenMatrix.parse((await user.call('GET', `/screens/${id}/matrix`)).json())
  expect(matrix.targets.map(({ name }) => name)).toEqual(['T1', 'T3'])
  expect(matrix.compounds).toEqual(['C9', 'C2', '=x', 'C30', 'C2'])
  expect(matrix.smiles).toBeUndefined()
  expect(matrix.sample?.slice(0, 2)).toEqual(['C'.repeat(9), 'CC'])
  const numbers = Buffer.from(matrix.best_kd, 'base64')
  expect(numbers).toHaveLength(20)
  expect(numbers.readInt16LE(2)).toBe(Math.round(number(3, 9) * 100))
  expect([...Buffer.from(matrix.flags, 'base64')].slice(2, 6)).toEqual([1, 1, 0, 0])
})

test('SPEC 20.12: the event stream reports blocks, ends with the screen, and can be resumed', async () => {
  const big = await user.started({ targets: ['T1', 'T2', 'T3'], compounds: 'all' })
  const events = readEvents((await user.call('GET', `/screens/${big.id}/events`)).body)
  const last = events.at(-1)
  expect(last?.name).toBe('screen')
  expect(last?.data).toMatchObject({ status: 'DONE', done: 90 })
  const blocks = events.filter(({ name }) => name === 'block')
  const rows = blocks.map(({ data }) => (data as ScreenBlock).rows)
  expect(rows.reduce((sum, count) => sum + count, 0)).toBe(30)
  const headers = { ...user.headers, 'last-event-id': blocks.at(-1)?.id }
  const { body } = await user.call('GET', `/screens/${big.id}/events`, { headers })
  expect(readEvents(body).map(({ name }) => name)).toEqual(['screen'])
})

function readEvents(body: string) {
  return body
    .split('\n\n')
    .filter((part) => part.includes('event: '))
    .map((part) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? ''
      const data: unknown = JSON.parse(field('data'))
      return { id: field('id'), name: field('event'), data }
    })
}

test('an open event stream does not block shutdown', async () => {
  await t.stopWorkers()
  const other = await t.addUser({ credits: 1, targets: 1, compounds: 1 })
  const running = await other.started()
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { headers } = other
  const watching = await fetch(`${origin}/screens/${running.id}/events`, { headers })
  await t.app.close()
  expect(readEvents(await watching.text()).map(({ name }) => name)).toEqual(['screen'])
})
