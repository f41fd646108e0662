/** RDKit is the judge: the same figures, to nine decimals. */
import { expect, test } from 'vitest'
import { expectRead, readCommonMolecules } from '../fixtures/common-molecules.ts'
import { featureSpec } from '../features/feature-spec.ts'
import { descriptorsOf, readDescriptors } from './descriptors.ts'
import { descriptorsByRdkit } from './fixtures/descriptors-by-rdkit.ts'
import { readGraph } from './molecule-graph.ts'
import { descriptors } from './properties.ts'
import { openRdkit } from './rdkit.ts'

const rdkit = await openRdkit()
const common = readCommonMolecules().map(({ smiles }) => smiles)

test.each([
  ['a hundred common molecules', common],
  ['one atom', ['C', 'N', 'O', 'S', 'F', '[NH4+]', '[OH-]', '[I-]']],
  [
    'rings of three and four, whose paths end where they began',
    ['C1CC1', 'CC1CC1', 'CC1CC1C', 'C1CCC1', 'CC1CCC1', 'C1CN1', 'C1CO1', 'CN1CC1', 'C12C3C1C23'],
  ],
  [
    'spiro atoms and bridgeheads',
    [
      'C1CC11CC1',
      'C1CC2CC1C2',
      'C1C2CC3CC1CC(C2)C3',
      'C12C3C4C1C5C2C3C45',
      'C1CC2CCC1C2',
      'C1CC2(C1)OCCO2',
    ],
  ],
  [
    'conjugation',
    [
      'CC(=O)N',
      'CC(=O)OC',
      'C=CC=C',
      'C=CN',
      'NC(=N)N',
      'C[S+]=C(NC)NC',
      'CP(C)(C)=C',
      'CS(=O)C',
      'C=C=C',
    ],
  ],
  [
    'charges',
    [
      'C[N+](C)(C)C',
      'C[N+](=O)[O-]',
      'CC(=O)[O-]',
      'C[NH3+]',
      'C=[NH2+]',
      'CN=[N+]=[N-]',
      '[C-]#[N+]C',
      'C[n+]1ccccc1',
    ],
  ],
  [
    'bonds that turn and those that do not',
    [
      'CCCC',
      'CC(C)(C)C',
      'CCC(F)(F)F',
      'CCC#CCC',
      'CCC(=O)NCC',
      'CCC(=O)OCC',
      'CCNC(=[NH2+])C',
      'c1ccccc1-c1ccccc1',
      'CC(=O)c1ccccc1',
    ],
  ],
  [
    'polar atoms that the published table does not list',
    ['CN(C)(C)=O', 'N#N', '[NH2-]', 'C[O+](C)C', '[O-][n+]1ccccc1', 'C1=N[SH]=NC=C1'],
  ],
  [
    'elements other than carbon',
    [
      'OB1OCc2cc(F)ccc21',
      'C[Si](C)(C)C',
      'CP(=O)(O)O',
      'c1ccsc1',
      'C[Se]C',
      'c1cc[se]c1',
      'BrCI',
      'O=S(=O)(Cl)c1ccccc1',
      'CS',
      'C[SH2+]',
    ],
  ],
  ['hydrogens of water and of its ion', ['O', '[OH3+]', 'CO.O']],
])('%s', (_, compounds) => {
  for (const smiles of compounds) {
    using molecule = expectRead(rdkit, smiles)
    const own = descriptorsOf(readGraph(molecule))
    expect([smiles, own]).toEqual([smiles, descriptorsByRdkit(molecule, own ?? {})])
  }
})

test('all descriptors of the features and properties are among them', () => {
  using molecule = expectRead(rdkit, 'CCO')
  const read = descriptorsOf(readGraph(molecule)) ?? {}
  const ofProperties = Object.values(descriptors).flatMap(({ of }) =>
    typeof of === 'string' ? [of] : [],
  )
  for (const name of [...featureSpec.compound.descriptors, ...ofProperties]) {
    expect(read).toHaveProperty(name)
  }
})

test.each(['[2H]C', 'C[C]', '[H][H]', 'C[As](C)C', 'C[Sn](C)(C)C', 'C*'])(
  '%s is left to RDKit',
  (smiles) => {
    using molecule = expectRead(rdkit, smiles)
    const graph = readGraph(molecule)
    expect(descriptorsOf(graph)).toBeNull()
    expect(readDescriptors(molecule, graph)).toEqual(JSON.parse(molecule.get_descriptors()))
  },
)
