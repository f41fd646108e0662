import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { enumerateSeries } from './enumerate.ts'

const rdkit = await openRdkit()

const canonical = (smiles: string) => {
  using molecule = rdkit.get_mol(smiles)
  return molecule?.get_smiles() ?? ''
}

/** Three amines by three substituents of a quinazoline; four of the nine were made. */
const made = [
  'CNc1ncnc2cc(F)ccc12',
  'c1ccccc1Nc1ncnc2cc(Cl)ccc12',
  'C1CC1Nc1ncnc2cc(OC)ccc12',
  'C1CC1Nc1ncnc2cc(F)ccc12',
]

function enumerate() {
  const found = enumerateSeries(rdkit, { smiles: made.map(canonical) })
  if (found === null) throw new Error('the core cannot be read')
  return found
}

test('groups are recombined, and products exclude compounds of the series', () => {
  const { combinations, known, products } = enumerate()
  expect([combinations, known, products.length]).toEqual([9, 4, 5])
  expect(products).toContain(canonical('CNc1ncnc2cc(OC)ccc12'))
  expect(new Set(products).size).toBe(5)
})

test('SPEC 31.4: the rarest groups are skipped where there are too many combinations, and counted', () => {
  const found = enumerateSeries(rdkit, { smiles: made.map(canonical), most: 6 })
  expect([found?.combinations, found?.skippedGroups]).toEqual([6, 1])
  // A single compound has the phenyl group, two have each cyclopropyl and fluorine.
  expect(found?.products).toContain(canonical('C1CC1Nc1ncnc2cc(Cl)ccc12'))
  expect(found?.products.some((product) => product.includes('c3ccccc3'))).toBe(false)
  expect(enumerate().skippedGroups).toBe(0)
})

test('an unreadable core is rejected', () => {
  expect(enumerateSeries(rdkit, { smiles: made, core: 'c1cc' })).toBeNull()
})
