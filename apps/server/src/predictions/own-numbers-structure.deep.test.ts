/** One number per pair: a pair with a pose and own values has the same digits on every page and in every file. */
import { readFile } from 'node:fs/promises'
import {
  KnownPair,
  MeasurementComparison,
  NextCompounds,
  PairDetails,
  PastPrediction,
  Screen,
  ScreenMatrix,
  ScreenRow,
} from '@pkdex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readOwnValuesSettings, updateByOwnValues } from '#server/inference/service.ts'
import { readConfig } from '#server/main/settings.ts'
import { unpackCompound } from '#server/measurements/own-values.ts'
import { readTestZip } from '#test/read-test-zip.ts'
import { openTestProduct } from '#test/open-test-product.ts'
import { openTestSession } from '#test/factories.ts'

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
/** All below their predictions, so that they help. `chloroform` has no pose, `chloro` is predicted alone. */
const measured = { fluoro: 8.1, methyl: 7, chloroform: 4.4, chloro: 8 }

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
  // Until it has a number, its value does not count; a busy machine answers with a task first.
  await untilTrue(async () => {
    const asked = await post('/dta/predict', { protein_id: '1hpv', compound_id: 'chloro' })
    return asked.json().predicted_kd !== undefined
  })
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

async function rowOf(name: string): Promise<ScreenRow> {
  const row = (await rowsOf(placed)).find(({ compound }) => compound === name)
  if (row === undefined) throw new Error(`no row of ${name}`)
  return row
}

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

test('SPEC 29.21: own values move the number that the pose has moved', async () => {
  const rows = await rowsOf(placed)
  const expected = await expectedOf(rows)
  expect([...expected.keys()]).toEqual(['fluoro', 'methyl'])
  for (const row of rows) {
    expect(row.own_values).toBe(4)
    const own = expected.get(row.compound)
    if (own === undefined) continue
    expect(row.best_kd).toBeCloseTo(own.predicted, 2)
    expect(row.best_lower).toBeCloseTo(own.predicted - own.halfWidth, 2)
    expect(row.best_upper).toBeCloseTo(own.predicted + own.halfWidth, 2)
  }
})

const Pairs = z.object({ known: z.array(KnownPair) })
const Past = z.object({ predictions: z.array(PastPrediction) })

test('SPEC 29.21: a screen without poses has the same numbers, because a pair has one best estimate', async () => {
  const [rows, plainRows] = [await rowsOf(placed), await rowsOf(plain)]
  const numbersOf = ({ predicted_kd, best_kd, best_lower, best_upper }: ScreenRow) => [
    predicted_kd,
    best_kd,
    best_lower,
    best_upper,
  ]
  expect(plainRows.map(numbersOf)).toEqual(rows.map(numbersOf))
  expect(plainRows.map(({ structure_adjusted }) => structure_adjusted ?? null)).toEqual(
    rows.map(({ structure_adjusted }) => structure_adjusted ?? null),
  )
})

test('SPEC 29.21: a prediction, its details and its row have the same number and stages', async () => {
  const row = await rowOf('fluoro')
  const best = row.best_kd ?? Number.NaN
  expect(row).toMatchObject({ own_values: 4, structure_adjusted: { value: expect.any(Number) } })
  expect(new Set([row.predicted_kd, row.structure_adjusted?.value, best]).size).toBe(3)
  const asked = await post('/dta/predict', { protein_id: '1hpv', compound_id: 'fluoro' })
  const { predicted_kd, result } = asked.json()
  // The call of the specification keeps the prediction from sequence and compound.
  expect(predicted_kd).toBeCloseTo(row.predicted_kd ?? 0, 6)
  expect(result.best_estimate).toMatchObject({
    predicted_kd: best,
    interval: { lower: row.best_lower, upper: row.best_upper },
    pose: { predicted_kd: row.structure_adjusted?.value },
    own_values: 4,
  })
  const details = await get(`/evidence/details?screen=${placed}&row=3&column=1`)
  expect(PairDetails.parse(details.json()).result.best_estimate?.predicted_kd).toBe(best)
})

/** Everything that shows `fluoro` on its target, and what is shown. */
const readers: [string, () => Promise<unknown>][] = [
  [
    'known pairs',
    async () => {
      const { known } = Pairs.parse((await get('/dta/known?protein_id=1hpv')).json())
      return known.find(({ compound_id }) => compound_id === 'fluoro')?.best_kd
    },
  ],
  [
    'history',
    async () => {
      const { predictions } = Past.parse((await get('/history')).json())
      return predictions.find(({ compound }) => compound === 'fluoro')?.best_kd
    },
  ],
  [
    'SMILES in one request',
    async () => {
      const smiles = (await rowOf('fluoro')).smiles
      return (await post('/predict', { smiles, target: '1hpv' })).json().predictions[0].best_kd
    },
  ],
]

test.each(readers)('SPEC 29.21: the number of a pair is the same in: %s', async (_, read) => {
  expect(await read()).toBe((await rowOf('fluoro')).best_kd)
})

test('SPEC 29.21: matrix and files have the same digits', async () => {
  const best = (await rowOf('fluoro')).best_kd ?? Number.NaN
  const matrix = ScreenMatrix.parse((await get(`/screens/${placed}/matrix`)).json())
  expect(Buffer.from(matrix.best_kd, 'base64').readInt16LE(2 * 2)).toBe(Math.round(best * 100))
  const files = [`/screens/${placed}/results.csv`, `/screens/${placed}/results.sdf`, '/history.csv']
  for (const file of files) expect((await get(file)).body).toContain(`${best}`)
  const exported = await readTestZip((await get('/account/export')).rawPayload)
  expect(exported.get(`screens/${placed}.csv`)).toContain(`${best}`)
  expect(exported.get('predictions.csv')).toContain(`${best}`)
})

test('SPEC 29.21: filters, order, efficiencies and the profile use the best estimate', async () => {
  const rows = await rowsOf(placed)
  const strongest = rows.toSorted((a, b) => (b.best_kd ?? 0) - (a.best_kd ?? 0))
  const sorted = await rowsOf(placed, 'sort=affinity')
  expect(sorted.map(({ compound }) => compound)).toEqual(strongest.map(({ compound }) => compound))
  const bound = strongest[1]?.best_kd ?? 0
  const found = await rowsOf(placed, `min=${bound}`)
  expect(found.map(({ compound }) => compound).toSorted()).toEqual(
    strongest
      .slice(0, 2)
      .map(({ compound }) => compound)
      .toSorted(),
  )
  for (const { best_kd, lipophilic_efficiency: lle, log_p: logP } of rows) {
    expect(lle).toBeCloseTo((best_kd ?? 0) - (logP ?? 0), 5)
  }
  const page = await rowsOf(placed, 'sort=affinity&page_size=2&page=2')
  for (const row of page) expect(rows).toContainEqual(row)
})

test('SPEC 29.21: what to make next is ranked by the same values', async () => {
  const rows = await rowsOf(placed)
  const answer = await post('/series/next', { screens: [placed], target: '1hpv' })
  const { suggestions } = NextCompounds.parse(answer.json())
  expect(suggestions.map(({ compound }) => compound).toSorted()).toEqual(['amprenavir', 'methoxy'])
  for (const suggestion of suggestions) {
    const row = rows.find(({ compound }) => compound === suggestion.compound)
    expect(suggestion.predicted_kd).toBe(row?.best_kd)
    expect(suggestion.predicted_kd_without_own).toBeCloseTo(row?.structure_adjusted?.value ?? 0, 5)
    expect(suggestion.reason).toContain('the prediction with its pose')
  }
  const both = await post('/series/next', { screens: [plain, placed], target: '1hpv' })
  expect(NextCompounds.parse(both.json()).suggestions).toEqual(suggestions)
})
