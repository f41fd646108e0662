import type { PredictionResult, ScreenRow } from '@pkdex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openParsingWorkers } from '#server/files/parsing/service.ts'
import { foldMorgan } from '#server/inference/service.ts'
import { packFingerprint } from '#server/measurements/own-values.ts'
import { openOwnValues } from '#server/measurements/service.ts'
import { deleteMeasurements, keepMeasurements, notePrediction } from '#server/measurements/store.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { resultOf } from '#server/predictions/open-test-predictions.ts'
import { openTestScreens, type TestScreens, type TestScreenUser } from './open-test-screens.ts'

const parsingWorkers = openParsingWorkers({ threads: 1 })
const MODEL_VERSION = 'test-1'
let t: TestScreens
beforeAll(async () => {
  t = await openTestScreens({ parsingWorkers })
  t.work()
})
afterAll(async () => {
  await t.close()
  await parsingWorkers.close()
})

type Rows = { rows: ScreenRow[] }

async function rowsOf(user: TestScreenUser, id: string): Promise<ScreenRow[]> {
  return (await user.call('GET', `/screens/${id}/results`)).json<Rows>().rows
}

async function screened(user: TestScreenUser, targets: unknown = user.targets): Promise<string> {
  const { id } = await user.started({ targets, compounds: 'all' })
  await user.untilEnded(id)
  return id
}

async function idOf(user: TestScreenUser, name: string): Promise<string> {
  const targets = t.db.selectFrom('targets').select('id').where('user_id', '=', user.userId)
  return (await targets.where('name', '=', name).executeTakeFirstOrThrow()).id
}

/** Values that lie two above what the model says of each. */
async function measure(user: TestScreenUser, target: string, smiles: string[]): Promise<void> {
  const targetId = await idOf(user, target)
  const of = { userId: user.userId, targetId, now: new Date() }
  const bits = await parsingWorkers.readFingerprints(user.userId, smiles)
  const values = smiles.map((one, at) => ({
    compound: one,
    smiles: one,
    type: 'Kd' as const,
    value: '8',
    pk: 8,
    bound: null,
    fingerprint: packFingerprint(foldMorgan(bits[at] ?? new Uint16Array())),
  }))
  await inTransaction(t.db, (trx) => keepMeasurements(trx, of, values))
  const kept = t.db.selectFrom('measurements').select('id').where('target_id', '=', targetId)
  for (const { id } of await kept.execute()) {
    const said = { chain: 'A', modelVersion: MODEL_VERSION, predicted: 6, halfWidth: 1.25 }
    await notePrediction(t.db, id, said)
  }
}

const plainOf = (row: ScreenRow): ScreenRow => ({
  ...row,
  own_values: null,
  predicted_kd_with_own: null,
  lower_with_own: null,
  upper_with_own: null,
})

const given = (pk: number | null | undefined): number => pk ?? NaN

test('rows of a target with own values say both numbers, those of the others only the plain one', async () => {
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 4 })
  const id = await screened(user)
  const before = await rowsOf(user, id)
  expect(before.map(({ own_values }) => own_values)).toEqual(Array(8).fill(null))
  await measure(user, 'T1', ['CCCCC', 'CCCCCC', 'CCCCCCC'])
  const rows = await rowsOf(user, id)
  expect(rows.map(plainOf)).toEqual(before.map(plainOf))
  const of = (some: ScreenRow[], name: string) => some.filter(({ target }) => target === name)
  expect(of(rows, 'T2')).toEqual(of(before, 'T2'))
  expect(of(rows, 'T1').map(({ own_values }) => own_values)).toEqual([3, 3, 3, 3])
  for (const row of of(rows, 'T1')) {
    expect(row.predicted_kd_with_own).toBeGreaterThan(given(row.predicted_kd))
    const width = given(row.upper_with_own) - given(row.lower_with_own)
    expect(width).toBeLessThan(given(row.upper) - given(row.lower))
  }
})

test('a pair of a screen says of own values what the pair alone says', async () => {
  const user = await t.addUser({ credits: 50, targets: 1, compounds: 3 })
  await measure(user, 'T1', ['CCCCC', 'CCO'])
  const rows = await rowsOf(user, await screened(user))
  const database = { db: t.db } satisfies Pick<OpenDatabase, 'db'>
  const addOwnValues = openOwnValues({ database, parsingWorkers })
  const targetId = await idOf(user, 'T1')
  expect(rows).toHaveLength(3)
  for (const row of rows) {
    const of = { userId: user.userId, targetId, chain: 'A', smiles: row.smiles }
    const plain = resultOf(given(row.predicted_kd))
    const interval = { ...plain.interval, lower: given(row.lower), upper: given(row.upper) }
    const alone: PredictionResult = { ...plain, interval, model_version: MODEL_VERSION }
    const { own_values: own } = await addOwnValues(of, alone)
    expect(row.own_values).toBe(own?.count)
    expect(row.predicted_kd_with_own).toBeCloseTo(given(own?.predicted_kd), 2)
    expect(row.lower_with_own).toBeCloseTo(given(own?.interval.lower), 2)
    expect(row.upper_with_own).toBeCloseTo(given(own?.interval.upper), 2)
  }
})

test('a second look at a screen reads no molecule again', async () => {
  const user = await t.addUser({ credits: 50, targets: 1, compounds: 3 })
  await measure(user, 'T1', ['CCCCC'])
  const id = await screened(user)
  const first = await rowsOf(user, id)
  const read = vi.spyOn(parsingWorkers, 'readFingerprints')
  try {
    expect(await rowsOf(user, id)).toEqual(first)
    expect(read.mock.calls.flatMap(([, smiles]) => smiles)).toEqual([])
    expect(first[0]?.own_values).toBe(1)
  } finally {
    read.mockRestore()
  }
})

test('CSV, NDJSON and SDF hold the numbers with own values beside the plain ones', async () => {
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 2 })
  await measure(user, 'T2', ['CCCC'])
  const id = await screened(user)
  const [own] = (await rowsOf(user, id)).filter(({ target }) => target === 'T2')
  const csv = (await user.call('GET', `/screens/${id}/results.csv`)).body.split('\r\n')
  const [columns = [], , second = []] = csv.map((line) => line.split(','))
  const inCsv = Object.fromEntries(columns.map((name, at) => [name, second[at]]))
  expect(inCsv).toMatchObject({
    target: 'T2',
    predicted_kd: `${own?.predicted_kd}`,
    own_values: '1',
    predicted_kd_with_own: `${own?.predicted_kd_with_own}`,
    lower_with_own: `${own?.lower_with_own}`,
    upper_with_own: `${own?.upper_with_own}`,
  })
  const headers = { ...user.headers, accept: 'application/x-ndjson' }
  const lines = (await user.call('GET', `/screens/${id}/results`, { headers })).body.split('\n')
  expect(JSON.parse(lines[1] ?? '')).toEqual(own)
  const sdf = (await user.call('GET', `/screens/${id}/results.sdf`)).body.split('$$$$\n')
  expect(sdf[0]).not.toContain('with_own')
  expect(sdf[1]).toContain(`>  <predicted_kd_with_own>\n${own?.predicted_kd_with_own}\n`)
})

test('values of others, on another chain, deleted ones, and those of a target that was replaced say nothing', async () => {
  const user = await t.addUser({ credits: 50, targets: 1, compounds: 1 })
  const stranger = await t.addUser({ credits: 50, targets: 1, compounds: 1 })
  const countsIn = async (id: string) =>
    (await rowsOf(user, id)).map(({ own_values }) => own_values)
  const id = await screened(user)
  await measure(stranger, 'T1', ['CCCC'])
  expect(await countsIn(id)).toEqual([null])
  await measure(user, 'T1', ['CCCC', 'CCO'])
  expect(await countsIn(id)).toEqual([2])
  expect(await countsIn(await screened(user, [{ name: 'T1', chain: 'B' }]))).toEqual([null])
  const targetId = await idOf(user, 'T1')
  const other = JSON.stringify({ A: ['WWWW'] })
  const target = t.db.updateTable('targets').where('id', '=', targetId)
  const { segments } = await t.db
    .selectFrom('targets')
    .select('segments')
    .where('id', '=', targetId)
    .executeTakeFirstOrThrow()
  await target.set({ segments: other }).execute()
  expect(await countsIn(id)).toEqual([null])
  await target.set({ segments: JSON.stringify(segments) }).execute()
  expect(await countsIn(id)).toEqual([2])
  await deleteMeasurements(t.db, user.userId, { targetId })
  expect(await countsIn(id)).toEqual([null])
})
