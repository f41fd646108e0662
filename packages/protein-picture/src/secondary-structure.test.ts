/** Helices and strands are those that crystallographers see, whichever way they have to be found. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Structure, readStructure } from '@pkdex/biochem'
import { helixPlaces, madeChain, madeStructure, strandPlaces } from './fixtures/made-structures.ts'
import type { SecondaryKind } from './backbone.ts'
import { assignSecondaryStructure } from './secondary-structure.ts'

const protease = readProtease()

test('takes the helix and the strands that the file states', () => {
  const kinds = assignSecondaryStructure(protease)[0] ?? []
  expect(kinds.slice(86, 90)).toEqual(['helix', 'helix', 'helix', 'helix'])
  expect(kinds.slice(9, 15).every((kind) => kind === 'strand')).toBe(true)
  expect(kinds[80]).toBe('coil')
})

test('finds the same helix and strands by hydrogen bonds when the file states none', () => {
  const found = assignSecondaryStructure({ ...protease, secondary: [] })
  expect(found[0]?.slice(86, 90)).toEqual(['helix', 'helix', 'helix', 'helix'])
  expect(agreement(found, assignSecondaryStructure(protease))).toBeGreaterThan(0.8)
})

test('finds them from alpha carbons alone', () => {
  const found = assignSecondaryStructure(onlyAlphaCarbons({ ...protease, secondary: [] }))
  expect(found[0]?.slice(86, 90)).toEqual(['helix', 'helix', 'helix', 'helix'])
  expect(agreement(found, assignSecondaryStructure(protease))).toBeGreaterThan(0.75)
})

test('does not believe records that do not fit the coordinates', () => {
  const stale = protease.secondary.map((range) => ({
    ...range,
    kind: range.kind === 'helix' ? ('strand' as const) : ('helix' as const),
  }))
  const found = assignSecondaryStructure({ ...protease, secondary: stale })
  expect(found).toEqual(assignSecondaryStructure({ ...protease, secondary: [] }))
})

test('finds the strands of a chain that the records leave out', () => {
  const secondary = protease.secondary.filter((range) => range.chainId === 'A')
  const [, second] = assignSecondaryStructure({ ...protease, secondary })
  expect(second?.filter((kind) => kind === 'strand').length).toBeGreaterThan(30)
})

test('calls a lone helix of alpha carbons a helix, all but its ends', () => {
  const [kinds] = assignSecondaryStructure(madeStructure([madeChain(helixPlaces(12))]))
  expect(kinds?.slice(1, 11).every((kind) => kind === 'helix')).toBe(true)
})

test('calls an extended chain a strand only where another lies beside it', () => {
  const lone = madeStructure([madeChain(strandPlaces(8))])
  const pair = madeStructure([madeChain(strandPlaces(8)), madeChain(strandPlaces(8, 4.8), 'B')])
  expect(assignSecondaryStructure(lone)[0]).not.toContain('strand')
  expect(
    assignSecondaryStructure(pair)[0]?.filter((kind) => kind === 'strand').length,
  ).toBeGreaterThan(3)
})

test('does not let a helix reach over a gap', () => {
  const chain = madeChain(helixPlaces(12))
  const cut = { ...chain, gaps: [{ index: 5, missing: null }] }
  const [kinds] = assignSecondaryStructure(madeStructure([cut]))
  expect(kinds?.slice(4, 7)).toContain('coil')
})

function readProtease(): Structure {
  const url = new URL('../../../samples/1hpv.pdb', import.meta.url)
  const structure = readStructure(readFileSync(url, 'utf8'))
  if (!structure.ok) throw new Error(structure.reason)
  return structure.value
}

function onlyAlphaCarbons(structure: Structure): Structure {
  const chains = structure.chains.map((chain) => ({
    ...chain,
    residues: chain.residues.map((residue) => ({
      ...residue,
      atoms: residue.atoms.filter((atom) => atom.name === 'CA'),
    })),
  }))
  return { ...structure, chains }
}

/** Share of residues on which two assignments say the same. */
function agreement(found: SecondaryKind[][], wanted: SecondaryKind[][]): number {
  const all = wanted.flat()
  const same = found.flat().filter((kind, index) => kind === all[index]).length
  return same / all.length
}
