/** Compares with RDKit, which is slower. */
import { expect, test } from 'vitest'
import { expectRead, readCommonMolecules } from '../fixtures/common-molecules.ts'
import { readGraph } from '../smiles/molecule-graph.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { readParts } from './fingerprints.ts'
import { bitsByRdkit, ownBits } from './fixtures/bits-by-rdkit.ts'

const rdkit = await openRdkit()
const common = readCommonMolecules().map(({ smiles }) => smiles)

test.each([
  ['a hundred common molecules', common],
  ['one or two atoms', ['C', 'O', '[NH4+]', 'CC', 'C=C', 'C#N', 'CO', 'O.O']],
  [
    'the same bonds around several atoms',
    [
      'CCC',
      'C1CC1',
      'C1CCC1',
      'CC1CC1',
      'C12C3C1C23',
      'C12C3C4C1C5C2C3C45',
      'CC(C)(C)C',
      'FC(F)(F)F',
    ],
  ],
  ['rings of three in a torsion', ['C1CN1', 'CC1CO1', 'C1CC11CO1', 'NC1CC1F']],
  ['more than 32 bonds', [`c1ccc(cc1)${'-c1ccc(cc1)'.repeat(6)}C`]],
  ['atoms farther apart than the longest distance', [`N${'C'.repeat(40)}O`]],
  ['parts seen more than eight times', ['C'.repeat(30), `C${'OCC'.repeat(12)}O`]],
  [
    'pi electrons of every kind of atom',
    [
      'CC(=O)N',
      'CS(=O)(=O)C',
      'CP(=O)(O)O',
      'CN=[N+]=[N-]',
      'C=C=C',
      'CC#CC',
      'C[S+]=C(NC)NC',
      'CP(C)(C)=C',
    ],
  ],
  [
    'elements and charges',
    [
      'BOC',
      'CCB',
      'c1c#cccc1',
      'OB1OCc2cc(F)ccc21',
      'C[Si](C)(C)Cl',
      'c1cc[se]c1',
      'Ic1ccccc1Br',
      'C[N+](C)(C)C',
      'CC(=O)[O-]',
    ],
  ],
])('%s', (_, compounds) => {
  for (const smiles of compounds) {
    using molecule = expectRead(rdkit, smiles)
    expect(readParts(readGraph(molecule))).not.toBeNull()
    expect([smiles, ownBits(molecule)]).toEqual([smiles, bitsByRdkit(molecule)])
  }
})

test.each(['[13CH4]', 'C[C]', '[2H]OC', 'C[As](C)C', 'C[Sn](C)(C)C', 'CC*'])(
  '%s is left to RDKit',
  (smiles) => {
    using molecule = expectRead(rdkit, smiles)
    expect(readParts(readGraph(molecule))).toBeNull()
    expect(ownBits(molecule)).toEqual(bitsByRdkit(molecule))
  },
)
