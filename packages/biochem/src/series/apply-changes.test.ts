import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { applyChanges } from './apply-changes.ts'

const rdkit = await openRdkit()

const canonical = (smiles: string) => {
  using molecule = rdkit.get_mol(smiles)
  return molecule?.get_smiles() ?? ''
}

function apply(smiles: (string | null)[], changes: [from: string, to: string][], most = 100) {
  const standard = smiles.map((one) => one && canonical(one))
  const pairs = changes.map(([from, to]) => ({ from, to }))
  return applyChanges(rdkit, { smiles: standard, changes: pairs, most })
}

test('SPEC 31.9: a group is replaced in each compound that has it, and centres keep their stereochemistry', () => {
  const { products } = apply(['C[C@H](N)c1ccc(OC)cc1', 'CCO', null], [['*OC', '*F']])
  expect(products).toEqual([{ smiles: canonical('C[C@H](N)c1ccc(F)cc1'), change: 0, from: 0 }])
})

test('only the whole group is replaced, not a part of a larger one', () => {
  expect(apply(['CCOc1ccccc1'], [['*OC', '*F']]).products).toEqual([])
})

test('a hydrogen on each carbon is replaced, and a group by a hydrogen', () => {
  const { products } = apply(['Fc1ccc(Br)cc1'], [['[H]*', '*Cl']])
  expect(products.map(({ smiles }) => smiles).toSorted()).toEqual(
    ['Fc1ccc(Br)cc1Cl', 'Fc1ccc(Br)c(Cl)c1'].map(canonical).toSorted(),
  )
  const back = apply(['Fc1ccc(Br)cc1'], [['*Br', '[H]*']])
  expect(back.products.map(({ smiles }) => smiles)).toEqual([canonical('Fc1ccccc1')])
})

test('products exclude compounds of the series and contain no duplicates', () => {
  const { products, known, tried } = apply(
    ['COc1ccccc1', 'Fc1ccccc1'],
    [
      ['*OC', '*F'],
      ['*OC', '*Cl'],
      ['*F', '*Cl'],
    ],
  )
  expect(products).toEqual([{ smiles: canonical('Clc1ccccc1'), change: 1, from: 0 }])
  expect([tried, known]).toEqual([3, 1])
})

test('no more products are made than requested, and the skipped changes are counted', () => {
  const { products, skippedChanges } = apply(
    ['CCCCCCCC'],
    [
      ['[H]*', '*F'],
      ['[H]*', '*Cl'],
    ],
    2,
  )
  expect(products).toHaveLength(2)
  expect(skippedChanges).toBe(2)
  expect(apply(['Fc1ccccc1'], [['*F', '*Cl']], 1).skippedChanges).toBe(0)
})
