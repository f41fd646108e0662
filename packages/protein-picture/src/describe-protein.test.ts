/** The text alternative of the picture describes what it shows. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readStructure } from '@pkdex/biochem'
import { describeProtein } from './describe-protein.ts'
import { helixPlaces, madeChain, madeLigand, madeStructure } from './fixtures/made-structures.ts'

test('lists title, chains, residues, secondary structure and ligand of a real complex', () => {
  const url = new URL('../../../samples/1hpv.pdb', import.meta.url)
  const structure = readStructure(readFileSync(url, 'utf8'))
  if (!structure.ok) throw new Error(structure.reason)
  const words = describeProtein(structure.value)
  expect(words).toContain('1HPV')
  expect(words).toContain('2 protein chains with 198 residues')
  expect(words).toMatch(/\d+% in helices, \d+% in strands/)
  expect(words).toContain('478')
})

test('says if there is no title, and counts gaps and equal ligands', () => {
  const chain = { ...madeChain(helixPlaces(12)), gaps: [{ index: 3, missing: 2 }] }
  const ligand = madeLigand([[9, 9, 9]], 'MG')
  expect(describeProtein(madeStructure([chain], [ligand, ligand]))).toMatch(
    /^Cartoon of a structure without a title\. 1 protein chain with 12 residues, 1 gap\. .*Other molecules: 2 × MG\.$/,
  )
})

test('shortens a long title', () => {
  const structure = { ...madeStructure([]), title: 'LONG '.repeat(200) }
  expect(describeProtein(structure).length).toBeLessThan(160)
})
