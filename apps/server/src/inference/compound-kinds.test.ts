/** Solvents, ions, fragments and sugars are distinguished from drug-like compounds. */
import { expect, test } from 'vitest'
import { whyOutside } from './compound-kinds.ts'

test.each([
  ['methane', 'C', /^has only 1 heavy atom; /],
  ['water', 'O', /1 heavy atom/],
  ['DMSO', 'CS(C)=O', /4 heavy atoms/],
  ['glycerol', 'OCC(O)CO', /6 heavy atoms/],
  ['sulphate', 'O=S(=O)(O)O', /5 heavy atoms/],
  ['phenol', 'Oc1ccccc1', /7 heavy atoms/],
  ['glucose', 'OCC1OC(O)C(O)C(O)C1O', /^is a sugar/],
  ['sucrose', 'OCC1OC(OC2(CO)OC(CO)C(O)C2O)C(O)C(O)C1O', /^is a sugar/],
  ['N-acetylglucosamine', 'CC(=O)NC1C(O)OC(CO)C(O)C1O', /^is a sugar/],
  ['tetraethylene glycol', 'OCCOCCOCCOCCO', /^is a polyether/],
])('%s is outside the scope, with a reason', (_, smiles, reason) => {
  expect(whyOutside(smiles)).toMatch(reason)
})

test.each([
  ['aspirin', 'CC(=O)Oc1ccccc1C(=O)O'],
  ['biotin', 'O=C(O)CCCCC1SCC2NC(=O)NC21'],
  ['adenosine', 'Nc1ncnc2c1ncn2C1OC(CO)C(O)C1O'],
  ['histamine with its chain', 'NCCc1c[nH]cn1CCC'],
  ['dapagliflozin', 'CCOc1ccc(Cc2cc(C3OC(CO)C(O)C(O)C3O)ccc2Cl)cc1'],
  ['oleic acid', 'CCCCCCCCC=CCCCCCCCC(=O)O'],
  ['zanamivir', 'CC(=O)NC1C(N=C(N)N)C=C(C(=O)O)OC1C(O)C(O)CO'],
  ['a selenium drug', 'O=c1c2ccccc2[se]n1-c1ccccc1'],
])('%s is within the scope', (_, smiles) => {
  expect(whyOutside(smiles)).toBeNull()
})
