import type { PredictionResult, ScreenRow } from '@pkdex/contract'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { readOwnValuesSettings } from '#server/inference/service.ts'
import { readConfig } from '#server/main/settings.ts'
import { packCompound } from '#server/measurements/own-values.ts'
import { openOwnValues } from '#server/measurements/service.ts'
import {
  changeMeasurement,
  deleteMeasurements,
  keepMeasurements,
  pageOfMeasurements,
} from '#server/measurements/store.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { sequenceKey } from './pair-key.ts'
import { findEveryPair, openTestPredictions } from '#test/open-test-predictions.ts'
import { type TestScreenUser } from '#test/open-test-user.ts'

const parsingWorkers = openTestParsing()
const MODEL_VERSION = 'test-1'
const t = await openTestPredictions({ parsingWorkers })
t.work()
afterAll(() => t.close())

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

/** Values slightly above the model's prediction of each. */
async function measure(user: TestScreenUser, target: string, smiles: string[]): Promise<void> {
  const targetId = await idOf(user, target)
  const of = { userId: user.userId, targetId, now: new Date(), replace: true }
  const features = await parsingWorkers.readFingerprints(user.userId, smiles)
  const values = smiles.map((one, at) => ({
    compound: one,
    smiles: one,
    type: 'Kd' as const,
    value: `${6.1 + at / 2}`,
    pk: 6.1 + at / 2,
    bound: null,
    fingerprint: packCompound(
      features[at] ?? { bits: new Uint16Array(), descriptors: new Float32Array() },
    ),
  }))
  await inTransaction(t.db, (trx) => keepMeasurements(trx, of, values))
  await t.db
    .updateTable('measurements')
    .set({
      chain: 'A',
      model_version: MODEL_VERSION,
      predicted: 6,
      half_width: 1.25,
      is_predicted: true,
    })
    .where('target_id', '=', targetId)
    .execute()
}

const plainOf = (row: ScreenRow): ScreenRow => ({
  ...row,
  own_values: null,
  best_kd: null,
  best_lower: null,
  best_upper: null,
  selectivity: null,
  selectivity_error: null,
  ligand_efficiency: null,
  lipophilic_efficiency: null,
})

const given = (pk: number | null | undefined): number => pk ?? NaN

test('the best estimate of rows on a target with own values is moved by them; nothing else changes', async () => {
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 4 })
  const id = await screened(user)
  const before = await rowsOf(user, id)
  expect(before.map(({ own_values }) => own_values)).toEqual(Array(8).fill(null))
  await measure(user, 'T1', ['CCCCC', 'CCCCCC', 'CCCCCCC'])
  const rows = await rowsOf(user, id)
  expect(rows.map(plainOf)).toEqual(before.map(plainOf))
  const of = (some: ScreenRow[], name: string) => some.filter(({ target }) => target === name)
  expect(of(rows, 'T2').map(({ best_kd }) => best_kd)).toEqual(
    of(before, 'T2').map(({ best_kd }) => best_kd),
  )
  expect(of(rows, 'T1').map(({ own_values }) => own_values)).toEqual([3, 3, 3, 3])
  for (const row of of(rows, 'T1')) {
    expect(row.best_kd).toBeGreaterThan(given(row.predicted_kd))
    const width = given(row.best_upper) - given(row.best_lower)
    expect(width).toBeLessThan(given(row.upper) - given(row.lower) + 0.002)
  }
})

async function targetOf(user: TestScreenUser, name: string) {
  const { segments, chain } = await t.db
    .selectFrom('targets')
    .select(['segments', 'chain'])
    .where('id', '=', await idOf(user, name))
    .executeTakeFirstOrThrow()
  return { name, chain, key: sequenceKey(segments[chain] ?? []) }
}

function openOwn() {
  const database = { db: t.db } satisfies Pick<OpenDatabase, 'db'>
  const settings = readOwnValuesSettings(readConfig({}).modelDir)
  return openOwnValues({ database, parsingWorkers, settings, findPredicted: findEveryPair })
}

test('a pair has the same best estimate in a screen and as a single prediction', async () => {
  const user = await t.addUser({ credits: 50, targets: 1, compounds: 3 })
  await measure(user, 'T1', ['CCCCC', 'CCO'])
  const rows = await rowsOf(user, await screened(user))
  expect(rows).toHaveLength(3)
  for (const row of rows) {
    const of = { userId: user.userId, target: await targetOf(user, 'T1'), smiles: row.smiles }
    const plain = resultOf(given(row.predicted_kd))
    const interval = { ...plain.interval, lower: given(row.lower), upper: given(row.upper) }
    const alone: PredictionResult = { ...plain, interval, model_version: MODEL_VERSION }
    const { best_estimate: own } = await t.requests.best.complete(of, alone)
    expect(row.own_values).toBe(own?.own_values)
    expect(row.best_kd).toBe(own?.predicted_kd)
    expect(row.best_lower).toBe(own?.interval.lower)
    expect(row.best_upper).toBe(own?.interval.upper)
  }
})

test('reading a screen or a pair again parses no molecule again', async () => {
  const user = await t.addUser({ credits: 50, targets: 1, compounds: 3 })
  await measure(user, 'T1', ['CCCCC'])
  const id = await screened(user)
  const first = await rowsOf(user, id)
  const read = vi.spyOn(parsingWorkers, 'readFingerprints')
  try {
    expect(await rowsOf(user, id)).toEqual(first)
    const alone = { ...resultOf(6), model_version: MODEL_VERSION }
    const of = { userId: user.userId, target: await targetOf(user, 'T1') }
    const smiles = first[0]?.smiles ?? ''
    const { best_estimate: own } = await t.requests.best.complete({ ...of, smiles }, alone)
    expect(own?.own_values).toBe(1)
    expect(read.mock.calls.flatMap(([, smiles]) => smiles)).toEqual([])
    expect(first[0]?.own_values).toBe(1)
  } finally {
    read.mockRestore()
  }
})

test('values are fitted once, and again after any of them changes', async () => {
  const user = await t.addUser({ credits: 50, targets: 1, compounds: 1 })
  await measure(user, 'T1', ['CCCCC', 'CCO', 'CCN'])
  const ownValues = openOwn()
  const targetId = await idOf(user, 'T1')
  const of = { userId: user.userId, targetId, chain: 'A', modelVersion: MODEL_VERSION }
  // Whatever the verdict on the changed values is.
  const target = t.db.updateTable('targets').where('id', '=', targetId)
  await target.set({ use_own_values: true }).execute()
  const updateNow = async () => (await ownValues.read(of)).fit?.update
  const first = await updateNow()
  expect(first).toBeTypeOf('function')
  expect(await updateNow()).toBe(first)
  const [value] = (
    await pageOfMeasurements(t.db, user.userId, { page: 1, page_size: 1, target: '' })
  ).measurements
  const change = { type: 'IC50', value: '7', pk: 7, bound: null } as const
  await changeMeasurement(t.db, { userId: user.userId, id: value?.id ?? '' }, change)
  const changed = await updateNow()
  expect(changed).not.toBe(first)
  await changeMeasurement(
    t.db,
    { userId: user.userId, id: value?.id ?? '' },
    { ...change, type: 'Kd' },
  )
  expect(await updateNow()).not.toBe(changed)
})

test('SPEC 21.9: CSV, NDJSON and SDF contain the best estimate and its stages', async () => {
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 2 })
  await measure(user, 'T2', ['CCCC'])
  const id = await screened(user)
  const [own] = (await rowsOf(user, id)).filter(({ target }) => target === 'T2')
  const csv = (await user.call('GET', `/screens/${id}/results.csv`)).body.split('\r\n')
  const [columns = [], , second = []] = csv.map((line) => line.split(','))
  const inCsv = Object.fromEntries(columns.map((name, at) => [name, second[at]]))
  expect(inCsv).toMatchObject({
    target: 'T2',
    pKd: `${own?.best_kd}`,
    'Lower 95%': `${own?.best_lower}`,
    'Upper 95%': `${own?.best_upper}`,
    'pKd (sequence)': `${own?.predicted_kd}`,
    'Own values used': '1',
  })
  const headers = { ...user.headers, accept: 'application/x-ndjson' }
  const lines = (await user.call('GET', `/screens/${id}/results`, { headers })).body.split('\n')
  expect(JSON.parse(lines[1] ?? '')).toEqual(own)
  const sdf = (await user.call('GET', `/screens/${id}/results.sdf`)).body.split('$$$$\n')
  expect(sdf[0]).not.toContain('<Own values used>')
  expect(sdf[1]).toContain(`>  <pKd>\n${own?.best_kd}\n`)
})

test('values of other users, other chains, deleted values and replaced targets are ignored', async () => {
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
