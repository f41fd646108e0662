/** Compounds of opposite configuration are no matched pair. */
import { expect, test } from 'vitest'
import { openRdkit } from '../smiles/rdkit.ts'
import { findMatchedPairs, readContexts } from './matched-pairs.ts'
import { withoutOpposites } from './opposite-configuration.ts'

const rdkit = await openRdkit()

function pairsOf(smiles: string[]): string[] {
  const standard = smiles.map((one) => {
    using molecule = rdkit.get_mol(one)
    return molecule?.get_smiles() ?? ''
  })
  const pairs = findMatchedPairs(readContexts(rdkit, standard))
  return withoutOpposites(rdkit, { pairs, smiles: standard }).map(({ from, to }) =>
    [from, to].toSorted((a, b) => a - b).join('-'),
  )
}

// An amide with a fluoroethyl group, both hands, with H and OMe on its ring; the last without a configuration.
const [s, r, sMethoxy, rMethoxy, flat] = [
  'C[C@H](F)C(=O)Nc1ccccc1',
  'C[C@@H](F)C(=O)Nc1ccccc1',
  'C[C@H](F)C(=O)Nc1ccc(OC)cc1',
  'C[C@@H](F)C(=O)Nc1ccc(OC)cc1',
  'CC(F)C(=O)Nc1ccc(OC)cc1',
] as const

test('hydrogen is exchanged within one hand only', () => {
  expect(pairsOf([s, sMethoxy])).toEqual(['0-1'])
  expect(pairsOf([s, rMethoxy])).toEqual([])
  expect(pairsOf([s, r, sMethoxy, rMethoxy]).toSorted()).toEqual(['0-2', '1-3'])
})

test('a compound without a configuration is paired with both hands', () => {
  expect(pairsOf([s, r, flat]).toSorted()).toEqual(['0-2', '1-2'])
})

test('rings are exchanged within one hand, also where they are bonded to the centre', () => {
  const [one, same, other] = [
    'O[C@@H](CN1CCOCC1)c1ccccc1',
    'O[C@@H](CN1CCOCC1)c1ccncc1',
    'O[C@H](CN1CCOCC1)c1ccncc1',
  ]
  expect(pairsOf([one, same])).toEqual(['0-1'])
  expect(pairsOf([one, other])).toEqual([])
})

test('of several centres a single opposite one is enough, and the bonds of E and Z do not count', () => {
  const start = 'C[C@H](O)[C@H](N)CCCCCCCCCCCCc1ccccc1'
  expect(pairsOf([start, 'C[C@H](O)[C@H](N)CCCCCCCCCCCCc1ccc(F)cc1'])).toEqual(['0-1'])
  expect(pairsOf([start, 'C[C@H](O)[C@@H](N)CCCCCCCCCCCCc1ccc(F)cc1'])).toEqual([])
  expect(pairsOf(['C[C@H](F)/C=C/c1ccccc1', 'C[C@H](F)/C=C\\c1ccc(F)cc1'])).toEqual(['0-1'])
})
