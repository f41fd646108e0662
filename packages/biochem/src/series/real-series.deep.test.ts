/** SAR tables, recombined groups and applied changes on the published series in samples/series. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { standardise } from '../smiles/standardise.ts'
import { applyChanges } from './apply-changes.ts'
import { decompose } from './decompose.ts'
import { enumerateSeries } from './enumerate.ts'
import { findMatchedPairs, readContexts } from './matched-pairs.ts'
import { buildSeriesTable } from './table.ts'

const rdkit = await openRdkit()
const file = new URL('../../../../samples/series/compounds.tsv', import.meta.url)

/** Standard SMILES of the series whose name begins like this, each compound once. */
function readSeries(start: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  const rows = lines.map((line) => line.split('\t'))
  const smiles = rows.filter(([system = '']) => system.startsWith(start))
  const standard = smiles.flatMap(([, , one = '']) => {
    const read = standardise(rdkit, one)
    return read.ok ? [read.standardSmiles] : []
  })
  return [...new Set(standard)]
}

const plain = (group: string) => group.replaceAll(/\[\*:\d+\]/g, '*')

/** The groups of each molecule on the core, without labels: these depend on the other molecules. */
function groupsOf(core: string, smiles: string[]): string[][] {
  const found = decompose(rdkit, { core, smiles })
  return (found?.rows ?? []).map(({ groups }) => Object.values(groups).map(plain))
}

test('SPEC 31.5: gaps of 298 BACE1 inhibitors are new molecules with the groups of their row and column', () => {
  const smiles = readSeries('ChEMBL_BACE1_')
  expect(smiles.length).toBeGreaterThan(290)
  const {
    rows,
    columns,
    core,
    gaps = [],
  } = buildSeriesTable(rdkit, { smiles, theme: 'light' }) ?? {}
  expect(gaps.length).toBeGreaterThan(100)
  expect(gaps.filter((gap) => smiles.includes(gap.smiles))).toEqual([])
  const some = gaps.filter((_, at) => at % 5 === 0)
  const found = groupsOf(
    core?.smiles ?? '',
    some.map((gap) => gap.smiles),
  )
  for (const [at, { row, column }] of some.entries()) {
    const wanted = [rows?.groups[row], columns?.groups[column]]
    expect(found[at]).toEqual(
      expect.arrayContaining(wanted.map((group) => plain(group?.smiles ?? ''))),
    )
  }
})

test('SPEC 31.4: the groups of 27 MET inhibitors are recombined into new molecules with these groups', () => {
  const smiles = readSeries('ChEMBL_MET_CHEMBL3418289')
  const {
    core,
    combinations = 0,
    known = 0,
    products = [],
  } = enumerateSeries(rdkit, { smiles }) ?? {}
  expect(products.length).toBeGreaterThan(100)
  expect(products.length + known).toBeLessThanOrEqual(combinations)
  expect(new Set([...smiles, ...products]).size).toBe(smiles.length + products.length)
  const made = new Set(groupsOf(core ?? '', smiles).flat())
  const found = groupsOf(core ?? '', products)
  expect(found).toHaveLength(products.length)
  for (const groups of found) {
    expect(groups.filter((group) => !made.has(group))).toEqual([])
  }
})

test('SPEC 31.9: the most common change of 42 BACE1 inhibitors makes molecules that differ by this change only', () => {
  const smiles = readSeries('ChEMBL_BACE1_CHEMBL1109071')
  const pairs = findMatchedPairs(readContexts(rdkit, smiles))
  const counts = Map.groupBy(pairs, ({ fromGroup, toGroup }) => `${fromGroup} ${toGroup}`)
  const [most] = [...counts.values()].toSorted((one, other) => other.length - one.length)
  const { fromGroup: from, toGroup: to } = most?.[0] ?? { fromGroup: '', toGroup: '' }
  const { products } = applyChanges(rdkit, { smiles, changes: [{ from, to }], most: 20 })
  expect(products.length).toBeGreaterThan(10)
  for (const product of products) {
    const compared = [smiles[product.from] ?? null, product.smiles]
    const [pair] = findMatchedPairs(readContexts(rdkit, compared))
    expect(new Set([pair?.fromGroup, pair?.toGroup])).toEqual(new Set([from, to]))
  }
})
