/** Helices and strands are those that crystallographers assign, whichever method finds them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Structure, readStructure } from '@pkdex/biochem'
import { helixPlaces, madeChain, madeStructure, strandPlaces } from './fixtures/made-structures.ts'
import type { SecondaryKind } from './backbone.ts'
import { assignSecondaryStructure } from './secondary-structure.ts'

const protease = readProtease()

test('uses the helices and strands stated in the file', () => {
  const kinds = assignSecondaryStructure(protease)[0] ?? []
  expect(kinds.slice(86, 90)).toEqual(['helix', 'helix', 'helix', 'helix'])
  expect(kinds.slice(9, 15).every((kind) => kind === 'strand')).toBe(true)
  expect(kinds[80]).toBe('coil')
})

test('finds the same helices and strands from hydrogen bonds if the file states none', () => {
  const found = assignSecondaryStructure({ ...protease, secondary: [] })
  expect(found[0]?.slice(86, 90)).toEqual(['helix', 'helix', 'helix', 'helix'])
  expect(agreement(found, assignSecondaryStructure(protease))).toBeGreaterThan(0.8)
})

test('finds them from alpha carbons alone', () => {
  const found = assignSecondaryStructure(onlyAlphaCarbons({ ...protease, secondary: [] }))
  expect(found[0]?.slice(86, 90)).toEqual(['helix', 'helix', 'helix', 'helix'])
  expect(agreement(found, assignSecondaryStructure(protease))).toBeGreaterThan(0.75)
})

test('ignores records that do not fit the coordinates', () => {
  const stale = protease.secondary.map((range) => ({
    ...range,
    kind: range.kind === 'helix' ? ('strand' as const) : ('helix' as const),
  }))
  const found = assignSecondaryStructure({ ...protease, secondary: stale })
  expect(found).toEqual(assignSecondaryStructure({ ...protease, secondary: [] }))
})

test('finds the strands of a chain missing from the records', () => {
  const secondary = protease.secondary.filter((range) => range.chainId === 'A')
  const [, second] = assignSecondaryStructure({ ...protease, secondary })
  expect(second?.filter((kind) => kind === 'strand').length).toBeGreaterThan(30)
})

test('marks a lone helix of alpha carbons as helix except at its ends', () => {
  const [kinds] = assignSecondaryStructure(madeStructure([madeChain(helixPlaces(12))]))
  expect(kinds?.slice(1, 11).every((kind) => kind === 'helix')).toBe(true)
})

test('marks an extended chain as a strand only next to another', () => {
  const lone = madeStructure([madeChain(strandPlaces(8))])
  const pair = madeStructure([madeChain(strandPlaces(8)), madeChain(strandPlaces(8, 4.8), 'B')])
  expect(assignSecondaryStructure(lone)[0]).not.toContain('strand')
  expect(
    assignSecondaryStructure(pair)[0]?.filter((kind) => kind === 'strand').length,
  ).toBeGreaterThan(3)
})

test('does not extend a helix across a gap', () => {
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

/** Share of residues on which two assignments agree. */
function agreement(found: SecondaryKind[][], wanted: SecondaryKind[][]): number {
  const all = wanted.flat()
  const same = found.flat().filter((kind, index) => kind === all[index]).length
  return same / all.length
}
