import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { decompose } from './decompose.ts'
import { findCores } from './find-cores.ts'
import { joinGroups } from './join-groups.ts'
import { buildSeriesTable, type FoundSeries, type SeriesTable } from './table.ts'

const rdkit = await openRdkit()

/** Three amines by three substituents of a quinazoline; two of the nine were not made. */
const quinazolines = [
  'CNc1ncnc2cc(F)ccc12',
  'CNc1ncnc2cc(Cl)ccc12',
  'CNc1ncnc2cc(OC)ccc12',
  'c1ccccc1Nc1ncnc2cc(F)ccc12',
  'c1ccccc1Nc1ncnc2cc(Cl)ccc12',
  'C1CC1Nc1ncnc2cc(F)ccc12',
  'C1CC1Nc1ncnc2cc(OC)ccc12',
]

const canonical = (smiles: string) => {
  using molecule = rdkit.get_mol(smiles)
  return molecule?.get_smiles() ?? ''
}

function tableOf(smiles: (string | null)[], rest = {}): SeriesTable {
  const table = buildSeriesTable(rdkit, { smiles, theme: 'light', ...rest })
  if (table === null) throw new Error('the core cannot be read')
  return table
}

test('the core is the largest scaffold that 75% of compounds share', () => {
  const [core] = findCores(rdkit, quinazolines)
  expect(core).toMatchObject({ smiles: canonical('c1ccc2ncncc2c1'), compounds: 7 })
})

test('of two series, the core of the given compounds comes first', () => {
  const anilides = ['F', 'Cl', 'Br', 'C'].map((group) => `O=C(Nc1ccccc1)c1ccc(${group})nc1`)
  const series = [...quinazolines, ...anilides].map(canonical)
  const usual = tableOf(series)
  const table = tableOf(series, { own: [0, 1, 2] })
  expect(usual.core?.smiles).toBe(canonical('O=C(Nc1ccccc1)c1cccnc1'))
  expect(table.core?.smiles).toBe(canonical('c1ccc2ncncc2c1'))
  expect(table.cores[0]).toMatchObject({ compounds: 7 })
  expect(table.cores.map(({ smiles }) => smiles)).toContain(usual.core?.smiles)
})

test('every compound can be rebuilt from its core and groups, stereochemistry included', () => {
  const series = ['C[C@H](N)c1ccccc1', 'CC[C@@H](N)c1ccccc1', 'Fc1ccc([C@H](C)O)cc1'].map(canonical)
  const found = decompose(rdkit, { core: 'c1ccccc1', smiles: series })
  expect(found?.rows.map((row) => joinGroups(rdkit, row))).toEqual(series)
})

test('missing combinations are gaps, and each gap is the molecule it represents', () => {
  const table = tableOf(quinazolines.map(canonical))
  expect(table.positions).toHaveLength(2)
  expect(table.cells).toHaveLength(7)
  const gaps = table.gaps.map(({ smiles }) => smiles).toSorted()
  const missing = ['c1ccccc1Nc1ncnc2cc(OC)ccc12', 'C1CC1Nc1ncnc2cc(Cl)ccc12']
  expect(gaps).toEqual(missing.map(canonical).toSorted())
})

test('cells and gaps fill the table without overlap', () => {
  const { rows, columns, cells, gaps } = tableOf(quinazolines.map(canonical))
  const places = [...cells, ...gaps].map(({ row, column }) => `${row} ${column}`)
  expect(new Set(places).size).toBe(places.length)
  expect(places).toHaveLength((rows?.groups.length ?? 0) * (columns?.groups.length ?? 0))
})

test('the table does not depend on the order of the compounds', () => {
  const series = quinazolines.map(canonical)
  const forwards = tableOf(series)
  const backwards = tableOf(series.toReversed())
  expect(backwards.columns?.label).toBe(forwards.columns?.label)
  expect(new Set(backwards.gaps.map(({ smiles }) => smiles))).toEqual(
    new Set(forwards.gaps.map(({ smiles }) => smiles)),
  )
})

test('sides can be selected and swapped', () => {
  const series = quinazolines.map(canonical)
  const { rows, columns } = tableOf(series)
  const swapped = tableOf(series, { rows: columns?.label, columns: rows?.label })
  expect(swapped.rows?.groups).toEqual(columns?.groups)
  expect(swapped.columns?.groups).toEqual(rows?.groups)
})

test('a second table of the same compounds reads none of them again and is identical', () => {
  const smiles = quinazolines.map(canonical)
  const kept: FoundSeries = {}
  let steps = 0
  const build = (rest = {}) => {
    steps = 0
    const request = { smiles, theme: 'light' as const, ...rest }
    return buildSeriesTable(rdkit, request, () => (steps += 1), kept)
  }
  const first = build()
  expect(steps).toBeGreaterThan(2 * smiles.length)
  expect(build()).toEqual(first)
  // One step for each of the two gaps.
  expect(steps).toBe(2)
  const core = 'c1ncncc1'
  expect(build({ core })).toEqual(tableOf(smiles, { core }))
  expect(build()).toEqual(first)
})

test('compounds without the core, and unreadable ones, are listed as skipped', () => {
  const table = tableOf([...quinazolines.map(canonical), 'CCO', null])
  expect(table.left_out).toEqual([7, 8])
})

test('a core given by the user replaces the detected one; an unreadable one is rejected', () => {
  const series = quinazolines.map(canonical)
  const table = tableOf(series, { core: 'c1ncncc1' })
  expect(table.core?.smiles).toBe('c1ncncc1')
  expect(buildSeriesTable(rdkit, { smiles: series, core: 'c1ncn', theme: 'light' })).toBeNull()
})

test('compounds without rings have no core, and all are skipped', () => {
  const table = tableOf(['CCO', 'CCN', 'CCC'])
  expect(table).toMatchObject({ core: null, cells: [], gaps: [], left_out: [0, 1, 2] })
})

test('core and groups are drawn with their attachment points', () => {
  const { core, rows } = tableOf(quinazolines.map(canonical))
  expect(core?.svg).toMatch(/^<svg/)
  expect(rows?.groups.every(({ svg }) => svg?.startsWith('<svg'))).toBe(true)
})

/** The groups at each position, as sets. */
function columnsOf(core: string, smiles: string[]): string[][] {
  const rows = decompose(rdkit, { core, smiles: smiles.map(canonical) })?.rows ?? []
  const labels = [...new Set(rows.flatMap(({ groups }) => Object.keys(groups)))]
  return labels.map((label) => rows.map(({ groups }) => groups[label] ?? ''))
}

test.each([
  [
    'anilides',
    ['CC(=O)Nc1ccc(F)cc1', 'CCC(=O)Nc1ccccc1', 'CC(C)C(=O)Nc1ccccc1', 'O=C(Nc1ccc(Cl)cc1)C1CC1'],
  ],
  [
    'benzylamines with a centre',
    [
      'C[C@H](N)c1ccc(F)cc1',
      'CC[C@H](N)c1ccccc1',
      'C[C@@H](NC)c1ccc(Cl)cc1',
      'CC(C)[C@H](N)c1ccccc1',
    ],
  ],
])('at symmetrical positions of %s, like groups share a column', (_, smiles) => {
  const isSmall = (group: string) => /^(F|Cl|\[H\])\[/.test(group)
  const columns = columnsOf('c1ccccc1', smiles)
  expect(columns).toHaveLength(2)
  for (const column of columns) expect(new Set(column.map(isSmall)).size).toBe(1)
})

test('tautomers of one core are in one table', () => {
  const smiles = [
    'Cc1n[nH]c(-c2ccccc2)c1',
    'Cc1cc(-c2ccc(F)cc2)[nH]n1',
    'Cc1cc(-c2ccc(Cl)cc2)n[nH]1',
  ]
  const [core] = findCores(rdkit, smiles.map(canonical))
  expect(core).toMatchObject({ atoms: 11, compounds: 3 })
  const columns = columnsOf(core?.smiles ?? '', smiles).map((groups) =>
    groups.map((group) => group[0]),
  )
  expect(columns).toContainEqual(['C', 'C', 'C'])
  expect(tableOf(smiles.map(canonical)).left_out).toEqual([])
})

test('gaps of a symmetrical core have one group of each kind', () => {
  const halogens = ['F', 'Cl', '[H]']
  const amides = ['C', 'CC', 'C(C)C', 'C1CC1']
  const drawn = (amide: string, halogen: string) => canonical(`${amide}C(=O)Nc1ccc(${halogen})cc1`)
  const all = amides.flatMap((amide) => halogens.map((halogen) => drawn(amide, halogen)))
  const made = [drawn('C', 'F'), drawn('CC', '[H]'), drawn('C(C)C', '[H]'), drawn('C1CC1', 'Cl')]
  const { gaps } = tableOf(made, { core: 'c1ccccc1' })
  expect(gaps.map(({ smiles }) => smiles).toSorted()).toEqual(
    all.filter((smiles) => !made.includes(smiles)).toSorted(),
  )
})
