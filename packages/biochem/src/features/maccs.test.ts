/** Compares with RDKit, which is slower. */
import { expect, test } from 'vitest'
import { expectRead } from '../fixtures/common-molecules.ts'
import { readGraph } from '../smiles/molecule-graph.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { keysByRdkit } from './fixtures/keys-by-rdkit.ts'
import { maccsKeys } from './maccs.ts'

const rdkit = await openRdkit()

const compounds = [
  'O=S(=O)(c1ccccc1)C1CCN(Nc2nc(Cl)nc3c2ncn3C2OC(CO)C(O)C2O)CC1',
  'COC(=O)C(CCCN=C(N)N[N+](=O)[O-])C1C(=O)CC2C1=CC(=O)CC2(C)C',
  'NC(=O)c1c(OCc2c(F)cc(Br)cc2F)nsc1NC(=O)NCCCCN1CCCC1',
  'CCOC(=O)c1ncn2c1C1CCN1C(=O)c1cc(C#C[Si](C)(C)C)ccc1-2',
  'CC1(C)OC2C3OCOC3COC2(COS(N)(=O)=O)O1',
  'Cc1n[nH]c2c1C(c1ccccc1I)C(C#N)=C(N)O2',
  'C[Se]CC1OC(n2cnc3c(NC4CC5CC4C4SC54)ncnc32)C(O)C1O',
  'CCOC(=O)NO',
  'O=CN(O)CCCP(=O)(O)O',
  'C=CCNc1nc(C)c(-c2ccnc(Nc3cccc([N+](=O)[O-])c3)n2)s1',
  'Br[Se]c1ccccc1',
  'OB1OCc2cc(F)ccc21',
  'CN(C)C(=S)SSC(=S)N(C)C',
  'CC(C)(C)C12COC(c3ccccc3N=C=S)(OC1)OC2',
]
const metals = ['[Rf]', '[U]', '[Sc]', '[La]', '[Fe]', '[Ti]', '[V]', '[Mg]', '[Zn]', '[Li]']
const rings = [
  'FC1CC1',
  'N1CC1',
  'C1CCC1',
  'N1CCC1',
  'C1CCCC1',
  'OC(=O)C1CC12CC2',
  'OC(=O)C12CC(C1)C2',
  'C1C2CC13CC2C3',
  'OC(=O)C1CC12CC23CC3',
  'CC1CC1',
  'CCC1CC1',
  'OCC1CC1',
  'CCCC1CC1',
  'OC1CCC1',
  'C1CC2CC1C2',
  'C1CC2CCC12',
  'c1ccc2cc3ccccc3cc2c1',
  'O=C1NC(=O)c2ccccc12',
  'C1CCCCCCC1',
  'C1CCCCCCCCCCCCC1',
  'C1CCCCCCCCCCCCCC1',
  'C12C3C4C1C5C2C3C45',
  'C1C2CC3CC1CC(C2)C3',
]
const others = [
  'C',
  '[NH4+]',
  '[CH3-]',
  'C*',
  'C=C',
  'CS(=C)(=O)N',
  'C[C]',
  'OO',
  'CN->[Cu]',
  'C[2H]',
  '[3H]C1CC1CO',
]

test.each([...compounds, ...metals, ...rings, ...others])(
  '%s has the keys that RDKit gives it',
  (smiles) => {
    using molecule = expectRead(rdkit, smiles)
    expect(maccsKeys(readGraph(molecule))).toEqual(keysByRdkit(molecule))
  },
)

test('the compounds above set every key but those of isotopes and fragments', () => {
  const set = new Set(
    [...compounds, ...metals].flatMap((smiles) => {
      using molecule = expectRead(rdkit, smiles)
      return maccsKeys(readGraph(molecule))
    }),
  )
  const missing = Array.from({ length: 166 }, (_, at) => at + 1).filter((key) => !set.has(key))
  expect(missing).toEqual([1, 166])
})

test('cyclopropane and spiropentane differ from RDKit in key 118 alone', () => {
  for (const smiles of ['C1CC1', 'C1CC12CC2']) {
    using molecule = expectRead(rdkit, smiles)
    const [own, reference] = [maccsKeys(readGraph(molecule)), keysByRdkit(molecule)]
    expect(
      [...own, ...reference].filter((key) => own.includes(key) !== reference.includes(key)),
    ).toEqual([118])
  }
})
