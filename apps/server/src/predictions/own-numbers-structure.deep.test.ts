/** Own values in a screen that uses the structure: they adjust the structure-adjusted predictions. */
import { readFile } from 'node:fs/promises'
import {
  MeasurementComparison,
  NextCompounds,
  PairDetails,
  Screen,
  ScreenRow,
} from '@pkdex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readOwnValuesSettings, updateByOwnValues } from '#server/inference/service.ts'
import { readConfig } from '#server/main/settings.ts'
import { unpackCompound } from '#server/measurements/own-values.ts'
import { openTestProduct } from '#test/open-test-product.ts'
import { openTestSession } from '#test/open-test-session.ts'

const amprenavir = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N'
const replaced = (part: string) => amprenavir.replace('c3ccc(cc3)N', part)
const compounds = [
  `${amprenavir} amprenavir`,
  `${replaced('c3ccc(cc3)OC')} methoxy`,
  `${replaced('c3ccc(cc3)F')} fluoro`,
  `${amprenavir.replace('CC(C)CN', 'CN')} methyl`,
  'ClC(Cl)Cl chloroform',
  `${replaced('c3ccc(cc3)Cl')} chloro`,
]
const names = ['amprenavir', 'methoxy', 'fluoro', 'methyl', 'chloroform']
/** `chloroform` has no pose, `chloro` is not in the screens but predicted alone. */
const measured = { fluoro: 8.9, methyl: 6.2, chloroform: 5, chloro: 9.1 }

const t = await openTestProduct()
const user = await openTestSession(t.db, { credits: 100 })
let plain: string
let placed: string

const post = (url: string, payload: object, method: 'POST' | 'PUT' = 'POST') =>
  t.app.inject({ method, url, payload, headers: user.headers })
const get = (url: string) => t.app.inject({ url, headers: user.headers })

beforeAll(async () => {
  const sample = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
  await t.upload(user.headers, 'protein_pdb', '1hpv.pdb', sample)
  await t.upload(user.headers, 'drug_smiles', 'compounds.txt', compounds.join('\n'))
  await t.startWorker()
  const values = Object.entries(measured).map(([compound, pk]) => ({ compound, value: `${pk}` }))
  await post('/measurements', { target: '1hpv', values, unit: 'p', type: 'Ki' })
  await post('/measurements/use', { target: '1hpv', use: true }, 'PUT')
  await post('/dta/predict', { protein_id: '1hpv', compound_id: 'chloro' })
  plain = await screened(false)
  placed = await screened(true)
  await untilTrue(async () => {
    const answer = await get('/measurements/comparison?target=1hpv')
    return MeasurementComparison.parse(answer.json()).waiting === 0
  })
}, 300_000)
afterAll(() => t.close())

const untilTrue = (ask: () => Promise<boolean>) =>
  vi.waitUntil(ask, { timeout: 100_000, interval: 100 })

async function screened(structure: boolean): Promise<string> {
  const started = await post('/screens', { targets: ['1hpv'], compounds: names, structure })
  const { id } = Screen.parse(started.json())
  await untilTrue(async () => {
    const screen = Screen.parse((await get(`/screens/${id}`)).json())
    return (structure ? screen.structure_status : screen.status) === 'DONE'
  })
  return id
}

const Rows = z.object({ rows: z.array(ScreenRow) })
const rowsOf = async (id: string, query = 'page_size=1000') =>
  Rows.parse((await get(`/screens/${id}/results?${query}`)).json()).rows

/** Computed here from the stored values: each row with a pose, from its structure-adjusted prediction. */
async function expectedOf(rows: ScreenRow[]) {
  const shifts = new Map(
    rows.map(({ compound, predicted_kd: pk, structure_adjusted: adjusted }) => [
      compound,
      adjusted && pk !== null ? adjusted.value - pk : 0,
    ]),
  )
  const values = await t.db.selectFrom('measurements').selectAll().execute()
  const own = values.map(({ compound, pk, predicted, half_width: halfWidth, fingerprint }) => ({
    measured: pk,
    predicted: (predicted ?? Number.NaN) + (shifts.get(compound) ?? 0),
    halfWidth: halfWidth ?? Number.NaN,
    ...unpackCompound(fingerprint),
  }))
  const others = rows.flatMap(({ compound, structure_adjusted: adjusted }) => {
    const fingerprint = values.find((value) => value.compound === compound)?.fingerprint
    if (!adjusted || fingerprint === undefined) return []
    const halfWidth = (adjusted.upper - adjusted.lower) / 2
    return [{ compound, predicted: adjusted.value, halfWidth, ...unpackCompound(fingerprint) }]
  })
  const settings = readOwnValuesSettings(readConfig({}).modelDir)
  const updated = updateByOwnValues(own, others, settings)
  return new Map(others.map(({ compound }, at) => [compound, updated[at]]))
}

test('SPEC 29.21: own values adjust the structure-adjusted prediction of a row with a pose', async () => {
  const rows = await rowsOf(placed)
  const expected = await expectedOf(rows)
  expect([...expected.keys()]).toEqual(['fluoro', 'methyl'])
  for (const row of rows) {
    expect(row.own_values).toBe(4)
    expect(row.own_values_start).toBe(row.structure_adjusted ? 'structure_adjusted' : 'plain')
    const own = expected.get(row.compound)
    if (own === undefined) continue
    expect(row.predicted_kd_with_own).toBeCloseTo(own.predicted, 2)
    expect(row.lower_with_own).toBeCloseTo(own.predicted - own.halfWidth, 2)
    expect(row.upper_with_own).toBeCloseTo(own.predicted + own.halfWidth, 2)
  }
})

test('SPEC 29.21: without poses, and for a compound without one, own values adjust the plain prediction', async () => {
  const [rows, plainRows] = [await rowsOf(placed), await rowsOf(plain)]
  expect(rows.map((row) => row.predicted_kd)).toEqual(plainRows.map((row) => row.predicted_kd))
  expect(plainRows.every((row) => row.own_values === 4)).toBe(true)
  expect(plainRows[0]).not.toHaveProperty('own_values_start')
  const differ = rows.filter(
    (row, at) => row.predicted_kd_with_own !== plainRows[at]?.predicted_kd_with_own,
  )
  expect(differ.map(({ compound }) => compound)).toEqual(names.slice(0, 4))
})

test('SPEC 29.21: a page, the pair’s details and all rows have the same value with own values', async () => {
  const rows = await rowsOf(placed)
  const page = await rowsOf(placed, 'sort=affinity&page_size=2&page=2')
  for (const row of page) expect(rows).toContainEqual(row)
  for (const [at, row] of rows.entries()) {
    const answer = await get(`/evidence/details?screen=${placed}&row=${at + 1}&column=1`)
    const { own_values: own, predicted_kd } = PairDetails.parse(answer.json()).result
    expect(predicted_kd).toBeCloseTo(row.predicted_kd ?? Number.NaN, 2)
    expect(own?.predicted_kd).toBeCloseTo(row.predicted_kd_with_own ?? Number.NaN, 2)
    expect(own?.interval.upper).toBeCloseTo(row.upper_with_own ?? Number.NaN, 2)
    expect(own?.start ?? 'plain').toBe(row.own_values_start)
  }
})

test('SPEC 29.21: what to make next is ranked by the same values', async () => {
  const rows = await rowsOf(placed)
  const answer = await post('/series/next', { screens: [placed], target: '1hpv' })
  const { suggestions } = NextCompounds.parse(answer.json())
  expect(suggestions.map(({ compound }) => compound).toSorted()).toEqual(['amprenavir', 'methoxy'])
  for (const one of suggestions) {
    const row = rows.find(({ compound }) => compound === one.compound)
    expect(one.predicted_kd).toBeCloseTo(row?.predicted_kd_with_own ?? Number.NaN, 2)
    expect(one.predicted_kd_without_own).toBeCloseTo(row?.structure_adjusted?.value ?? 0, 2)
    expect(one.reason).toContain('the structure-adjusted prediction')
  }
  const both = await post('/series/next', { screens: [plain, placed], target: '1hpv' })
  expect(NextCompounds.parse(both.json()).suggestions).toEqual(suggestions)
})

test('SPEC 29.21: files say what own values adjust', async () => {
  const csv = (await get(`/screens/${placed}/results.csv`)).body.split('\r\n')
  const at = csv[0]?.split(',').indexOf('Own values adjust') ?? -1
  expect(csv.slice(1, 6).map((line) => line.split(',')[at])).toEqual([
    ...Array(4).fill('structure_adjusted'),
    'plain',
  ])
  expect((await get(`/screens/${placed}/results.sdf`)).body).toContain(
    '> {2}<Own values adjust>\nstructure_adjusted'.replace('{2}', ' '),
  )
  expect((await get(`/screens/${plain}/results.csv`)).body).not.toContain('Own values adjust')
})
