/** SAR tables as the API returns them. */
import {
  changeListedMolecules,
  enumerateSeries,
  findSeriesClusters,
  findSeriesPairs,
  readSeriesDrawing,
  readSeriesProgress,
  readSeriesTable,
} from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { addPair, openTestSession } from '#test/factories.ts'
import { openCompoundFacts } from '#server/files/service.ts'
import { readConfig } from '#server/main/settings.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { openTestParsing } from '#test/open-test-files.ts'
import { seriesRoutes } from './routes.ts'
import { openSeries } from './service.ts'

const parsingWorkers = openTestParsing()
const series = openSeries({ modelDirectory: readConfig({}).modelDir })
const t = await openTestApp({
  features: ({ db }) => {
    const readFacts = openCompoundFacts({ db, parsingWorkers })
    return [seriesRoutes({ db, series, parsingWorkers, readFacts, storedBytesPerUser: 10_000_000 })]
  },
})
const user = await openTestSession(t.db)
afterAll(async () => {
  await t.close()
  await series.close()
})

const compounds = [
  'CNc1ncnc2cc(F)ccc12',
  'CNc1ncnc2cc(Cl)ccc12.Cl',
  'CNc1ncnc2cc(OC)ccc12',
  'CCNc1ncnc2cc(F)ccc12',
  'not a molecule',
]

test('pairs of 2,000 compounds that differ in one group are a bounded answer, listed in a moment', async () => {
  const groups = 'F Cl Br I C CC CCC O N OC C#N S SC CCCC'.split(' ')
  const many = Array.from({ length: 2000 }, (_, at) => {
    return { smiles: `${groups[at % groups.length]}c1ccc2ncncc2c1`, pk: 5 }
  })
  const { headers } = user
  const payload = { compounds: many }
  const answer = await t.app.inject({ method: 'POST', url: findSeriesPairs.path, headers, payload })
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload.length).toBeLessThan(5 * 2 ** 20)
})

function ask(payload: object) {
  const { headers } = user
  return t.app.inject({ method: 'POST', url: readSeriesTable.path, headers, payload })
}

test('SPEC 31.5: a table has the compounds without their salts, the gaps, and the skipped compounds', async () => {
  const answer = await ask({ compounds })
  expect(answer.statusCode).toBe(200)
  const table = readSeriesTable.answer.parse(answer.json())
  expect(table.core?.smiles).toBe('c1ccc2ncncc2c1')
  expect(new Set(table.cells.flatMap((cell) => cell.compounds))).toEqual(new Set([0, 1, 2, 3]))
  expect(table.gaps.map(({ smiles }) => smiles).toSorted()).toEqual([
    'CCNc1ncnc2cc(Cl)ccc12',
    'CCNc1ncnc2cc(OC)ccc12',
  ])
  expect(table.left_out).toEqual([4])
})

test('SPEC 31.3: matched pairs have their change in pK, and the same change in the training data', async () => {
  const values = [6, 6.8, undefined, 7, undefined]
  const payload = { compounds: compounds.map((smiles, at) => ({ smiles, pk: values[at] })) }
  const { headers } = user
  const answer = await t.app.inject({ method: 'POST', url: findSeriesPairs.path, headers, payload })
  expect(answer.statusCode).toBe(200)
  const { changes, drawings, training_target } = findSeriesPairs.answer.parse(answer.json())
  const change = changes.find(({ from, to }) => from === '[H]*' && to === '*C')
  expect(change?.pairs).toContainEqual({ from: 0, to: 3, change: 1 })
  expect(change).toMatchObject({ measured: 1, mean: 1, spread: null })
  expect(change?.training?.pairs).toBeGreaterThan(1000)
  expect(change?.gaps).toBeNull()
  // A change of halogens also yields products from the compounds that have no halogen there.
  const halogens = changes.find(({ from, to }) => from === '*Cl' && to === '*F')
  expect(halogens?.gaps).toBe(0)
  expect(drawings['*C']).toContain('<svg')
  expect(training_target).toBeNull()
})

async function enumerate(payload: object) {
  const { headers } = user
  const answer = await t.app.inject({ method: 'POST', url: enumerateSeries.path, headers, payload })
  expect(answer.statusCode).toBe(200)
  return enumerateSeries.answer.parse(answer.json())
}

test('SPEC 31.4: the groups of a series are recombined within property windows', async () => {
  const windows = { mass: { max: 215 }, heavy_atoms: { min: 10 } }
  const { products, ...counts } = await enumerate({ compounds, windows })
  expect(counts).toMatchObject({ core: 'c1ccc2ncncc2c1', combinations: 6, known: 4, impossible: 0 })
  expect(products.length + counts.outside).toBe(2)
  expect(products.every(({ mass }) => mass <= 215)).toBe(true)
})

test('SPEC 31.4: the counts of an enumeration add up, duplicates included', async () => {
  const symmetric = ['Fc1ccc(F)cc1', 'Clc1ccc(Cl)cc1', 'Brc1ccc(Br)cc1']
  const { products, ...counts } = await enumerate({ compounds: symmetric })
  const { combinations, known, repeated, impossible, outside, flagged } = counts
  expect(repeated).toBeGreaterThan(0)
  expect(known + repeated + impossible + outside + flagged + products.length).toBe(combinations)
})

test('SPEC 31.4: molecules with alerts are excluded before anything is charged, if requested', async () => {
  const nitro = ['CNc1ncnc2cc([N+](=O)[O-])ccc12', 'CNc1ncnc2cc(F)ccc12', 'CCNc1ncnc2cc(F)ccc12']
  const all = await enumerate({ compounds: nitro })
  expect(all.products[0]?.alerts.join()).toContain('Brenk')
  const { products, flagged } = await enumerate({ compounds: nitro, leave_out: ['Brenk'] })
  expect([products.length, flagged]).toEqual([0, 1])
})

test('SPEC 31.9: the most helpful changes are applied, or the given one', async () => {
  const valued = [
    ['CNc1ncnc2cc(F)ccc12', 6],
    ['CNc1ncnc2cc(Cl)ccc12', 8.2],
    ['CCNc1ncnc2cc(F)ccc12', 6.3],
  ].map(([smiles, pk]) => ({ smiles, pk }))
  const helped = await enumerate({ compounds: valued, by: 'changes' })
  expect(helped.changes[0]).toMatchObject({ from: '*F', to: '*Cl' })
  expect(helped.changes[0]?.lower).toBeGreaterThan(0)
  expect(helped.products.map(({ smiles }) => smiles)).toContain('CCNc1ncnc2cc(Cl)ccc12')
  expect(helped.products[0]).toMatchObject({ from: 2, change: 0 })
  const change = { from: '*F', to: '*OC' }
  const named = await enumerate({ compounds: valued, by: 'changes', change })
  expect(named.products.map(({ smiles }) => smiles).toSorted()).toEqual([
    'CCNc1ncnc2cc(OC)ccc12',
    'CNc1ncnc2cc(OC)ccc12',
  ])
})

test('a cliff between stereoisomers is called by its name', async () => {
  const payload = {
    compounds: [
      { smiles: 'C[C@H](N)c1ccccc1', pk: 6.43 },
      { smiles: 'C[C@@H](N)c1ccccc1', pk: 8.7 },
    ],
  }
  const { path: url, method } = findSeriesClusters
  const answer = await t.app.inject({ method, url, headers: user.headers, payload })
  expect(findSeriesClusters.answer.parse(answer.json()).cliffs).toMatchObject([
    { weaker: 0, stronger: 1, similarity: 1, stereoisomers: true },
  ])
})

test('a list takes molecules only; a request with any other text adds nothing', async () => {
  const { target } = await addPair(t, user.userId)
  const { path: url, method } = changeListedMolecules
  const { headers } = user
  const payload = { target, list: 'make', listed: true }
  const add = async (smiles: string[]) =>
    t.app.inject({ method, url, headers, payload: { ...payload, smiles } })
  const refused = await add(['CCO', 'free storage'])
  expect(refused.statusCode).toBe(400)
  expect(refused.json<{ message: string }>().message).toMatch(/^“free storage” was not added: /)
  expect((await add(['CCN'])).json()).toMatchObject({ make: ['CCN'] })
})

test('a change of a linker is refused with the reason', async () => {
  const payload = { compounds, by: 'changes', change: { from: '*CC*', to: '*C(C)C*' } }
  const { path: url, method } = enumerateSeries
  const { headers } = user
  const refused = await t.app.inject({ method, url, headers, payload })
  expect(refused.statusCode).toBe(400)
  expect(refused.json<{ message: string }>().message).toContain(
    'linkers, with two, cannot be changed',
  )
})

test('SPEC 33.1, 33.2, 33.3: a set is clustered, a diverse part of it chosen, and its cliffs listed', async () => {
  const values = [6, 8.2, undefined, undefined, undefined]
  const payload = {
    compounds: [...compounds, 'CCCCCCCO'].map((smiles, at) => ({ smiles, pk: values[at] })),
    pick: 2,
  }
  const { headers } = user
  const url = findSeriesClusters.path
  const answer = await t.app.inject({ method: 'POST', url, headers, payload })
  expect(answer.statusCode).toBe(200)
  const { clusters, picked, cliffs, left_out } = findSeriesClusters.answer.parse(answer.json())
  expect(clusters[0]?.members).toEqual(expect.arrayContaining([0, 1]))
  expect(clusters[0]?.best).toBe(1)
  expect(picked).toEqual([clusters[0]?.centre, 5])
  expect(cliffs).toEqual([
    { weaker: 0, stronger: 1, similarity: expect.any(Number), change: 2.2, stereoisomers: false },
  ])
  expect(left_out).toEqual([4])
})

const many = Array.from({ length: 2000 }, (_, at) => compounds[at % 4] ?? '')
type Asking = { userId: string; gone: AbortSignal }

test.each([
  {
    work: 'a table',
    run: (asking: Asking) => series.table(asking, { smiles: many, theme: 'light' }),
  },
  {
    work: 'an enumeration',
    run: (asking: Asking) => {
      const valued = many.map((smiles) => ({ smiles, pk: null }))
      return series.products(asking, { compounds: valued, by: 'groups', segments: null })
    },
  },
])(
  'SPEC 31.8: $work that no caller waits for is stopped, and reports its progress until then',
  async ({ run }) => {
    const { userId } = user
    const leave = new AbortController()
    const ended = run({ userId, gone: leave.signal }).then(
      () => null,
      (error: unknown) => error,
    )
    const progress = async () => {
      const answer = await t.app.inject({ url: readSeriesProgress.path, headers: user.headers })
      return readSeriesProgress.answer.parse(answer.json()).running
    }
    await expect.poll(async () => (await progress())?.done, { timeout: 20_000 }).toBeGreaterThan(0)
    expect((await progress())?.total).toBeGreaterThan(2000)
    leave.abort(new Error('left'))
    expect(await ended).toMatchObject({ message: 'left' })
    expect(await progress()).toBeNull()
    expect((await ask({ compounds })).statusCode).toBe(200)
  },
)

test('pairs on an unknown target return 404', async () => {
  const payload = { compounds: [{ smiles: 'CCO' }], target: 'nobody’s' }
  const { headers } = user
  const answer = await t.app.inject({ method: 'POST', url: findSeriesPairs.path, headers, payload })
  expect(answer.statusCode).toBe(404)
})

test('an unreadable core is refused with a message', async () => {
  const answer = await ask({ compounds, core: 'c1cc' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().message).toBe('The core is not a valid structure.')
})

test('more than 2,000 compounds are refused', async () => {
  const answer = await ask({ compounds: Array.from({ length: 2001 }, () => 'CCO') })
  expect(answer.statusCode).toBe(400)
})

test('if a user requests many tables simultaneously, one runs, two wait, and the rest are refused', async () => {
  // Enough compounds that the first table is still running when the last one is requested.
  const many = Array.from({ length: 500 }, (_, at) => compounds[at % 4])
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask({ compounds: many })))
  const count = (code: number) => answers.filter(({ statusCode }) => statusCode === code).length
  expect([count(200), count(429)]).toEqual([3, 3])
})

test('any SMILES is drawn; an invalid one is refused', async () => {
  const draw = (smiles: string) =>
    t.app.inject({
      url: readSeriesDrawing.path,
      query: { smiles },
      headers: user.headers,
    })
  const drawn = readSeriesDrawing.answer.parse((await draw('CCNc1ncnc2cc(Cl)ccc12')).json())
  expect(drawn.image).toMatch(/^data:image\/svg/)
  expect(drawn.alt).toContain('heavy atoms')
  expect((await draw('C1CC')).statusCode).toBe(422)
})
