import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { countGaps, findMatchedPairs, readContexts } from './matched-pairs.ts'

const rdkit = await openRdkit()

const pairsOf = (smiles: (string | null)[]) => findMatchedPairs(readContexts(rdkit, smiles))

test('compounds that differ in one group are pairs, hydrogen included', () => {
  const pairs = pairsOf([
    'CNc1ncnc2ccccc12',
    'CNc1ncnc2cc(F)ccc12',
    'CNc1ncnc2cc(OC)ccc12',
    'CCO',
    null,
  ])
  expect(pairs).toHaveLength(3)
  expect(pairs).toContainEqual({ from: 0, to: 1, fromGroup: '[H]*', toGroup: '*F' })
  expect(pairs).toContainEqual({ from: 0, to: 2, fromGroup: '[H]*', toGroup: '*OC' })
  expect(pairs).toContainEqual({ from: 1, to: 2, fromGroup: '*F', toGroup: '*OC' })
})

test('a group at another position is not the same change', () => {
  expect(pairsOf(['Oc1ccccc1F', 'Oc1cccc(Cl)c1'])).toEqual([])
})

test('a pair has the smallest groups in which its compounds differ', () => {
  const [pair] = pairsOf(['c1ccccc1OCCc1cccnc1', 'c1ccccc1OCCc1cccnc1Cl'])
  expect(pair).toEqual({ from: 0, to: 1, fromGroup: '[H]*', toGroup: '*Cl' })
})

test('ring systems are exchanged whole, and amides stay whole', () => {
  const pairs = pairsOf(['O=C(NC1CCCCC1)c1ccc(-c2ccccc2)nc1', 'O=C(NC1CCCCC1)c1ccc(-c2ccncc2)nc1'])
  expect(pairs).toEqual([{ from: 0, to: 1, fromGroup: '*c1ccccc1', toGroup: '*c1ccncc1' }])
})

test('the gaps of a change are the contexts that have its first group and never its second', () => {
  const contexts = readContexts(rdkit, [
    'CNc1ncnc2cc(F)ccc12',
    'CNc1ncnc2cc(Cl)ccc12',
    'CCNc1ncnc2cc(F)ccc12',
    'Fc1ccncc1F',
  ])
  // One of the second amine, and two of the difluoropyridine.
  expect(countGaps(contexts, '*F', '*Cl')).toBe(3)
  expect(countGaps(contexts, '*Cl', '*F')).toBe(0)
  expect(countGaps(contexts, '[H]*', '*F')).toBeNull()
})
