/** One drug, one compound: 310 pairs of drawings of one molecule have one standard SMILES. */
import { expect, test } from 'vitest'
import { succeeded } from '../fixtures/results.ts'
import { counterIons } from './counter-ions.ts'
import { openRdkit } from './rdkit.ts'
import { standardise } from './standardise.ts'

const rdkit = await openRdkit()
const standardOf = (smiles: string) => succeeded(standardise(rdkit, smiles)).standardSmiles

/** Two drawings of one group; R is the rest of the molecule. */
const groups: [string, string, string][] = [
  ['sulfoxide', 'R-S(C)=O', 'R-[S+](C)[O-]'],
  ['sulfoxide with a configuration', 'R-[S@](C)=O', 'R-[S@+](C)[O-]'],
  ['sulfinamide', 'R-S(N)=O', 'R-[S+](N)[O-]'],
  ['selenoxide', 'R-[Se](C)=O', 'R-[Se+](C)[O-]'],
  ['sulfone', 'R-S(C)(=O)=O', 'R-[S+2](C)([O-])[O-]'],
  ['sulfone, half of it', 'R-S(C)(=O)=O', 'R-[S+](C)(=O)[O-]'],
  ['sulfonamide', 'R-S(N)(=O)=O', 'R-[S+2](N)([O-])[O-]'],
  ['sulfonic acid', 'R-S(O)(=O)=O', 'R-S([O-])(=O)=O.[Na+]'],
  ['sulfoximine', 'R-S(C)(=N)=O', 'R-[S+](C)(=N)[O-]'],
  ['sulfilimine', 'R-S(C)=NC', 'R-[S+](C)[N-]C'],
  ['azide', 'R-N=[N+]=[N-]', 'R-[N-][N+]#N'],
  ['azide of older databases', 'R-N=[N+]=[N-]', 'R-N=N#N'],
  ['azide without charges', 'R-N=[N+]=[N-]', 'R-N=N=N'],
  ['diazo compound', 'R-C(C)=[N+]=[N-]', 'R-[C-](C)[N+]#N'],
  ['nitro group', 'R-[N+](=O)[O-]', 'R-N(=O)=O'],
  ['nitro group without a double bond', 'R-[N+](=O)[O-]', 'R-[N+2]([O-])[O-]'],
  ['N-oxide', 'R-[N+](C)(C)[O-]', 'R-N(C)(C)=O'],
  ['N-oxide of a pyridine', 'R-c1cc[n+]([O-])cc1', 'R-c1ccn(=O)cc1'],
  ['salt of an N-oxide', 'R-c1cc[n+]([O-])cc1', 'R-c1cc[n+](O)cc1.[Cl-]'],
  ['phosphine oxide', 'R-P(C)(C)=O', 'R-[P+](C)(C)[O-]'],
  ['phosphonate', 'R-P(OC)(OC)=O', 'R-[P+](OC)(OC)[O-]'],
  ['thiophosphoryl', 'R-P(OC)(OC)=S', 'R-[P+](OC)(OC)[S-]'],
  ['magnesium salt', 'R-C(O)=O', 'R-C(=O)O[Mg]OC(C)=O'],
  ['zinc salt', 'R-C(O)=O', 'R-C(=O)O[Zn]Cl'],
  ['sodium salt', 'R-C(O)=O', 'R-C(=O)O[Na]'],
  ['calcium salt with a charge', 'R-C(O)=O', 'R-C(=O)O[Ca+].[Cl-]'],
  ['aluminium salt', 'R-C(O)=O', 'R-C(=O)O[Al](O)O'],
  ['dative bond to a metal', 'R-C(O)=O', 'R-C(=O)[O-]->[Zn+2]'],
  ['thiolate of gold', 'R-CS', 'R-CS[Au]'],
  ['pamoate', 'R-CN', 'R-CN.OC(=O)c1cc2ccccc2c(Cc2c(O)c(cc3ccccc23)C(O)=O)c1O'],
  ['bitartrate with its charges', 'R-CN', 'R-C[NH3+].O[C@H]([C@@H](O)C(O)=O)C([O-])=O'],
  ['solvate', 'R-CN', 'R-CN.CS(C)=O.CCCCCCC.OCC.O'],
]
const rests = [
  'C(c1ccccc1)',
  'c1ccc(F)cc1',
  'CCN1CCOCC1',
  'C1CCN(Cc2ccccc2)CC1',
  'c1ccc(cc1)C(=O)NC1CC1',
  'c1ccc2ccccc2c1',
  'c1cccc(c1)-c1ccccc1',
  'CCOc1ccccc1',
  'C1CCCCC1',
  'c1cnc(NC)nc1',
]

/** `R-group`: the rest as a branch of the group's first atom. */
function drawing(group: string, rest: string): string {
  return group.replace(/^R-/, `${rest.replaceAll(/\d/g, (digit) => `%2${digit}`)}-`)
}

test.each(groups)(
  '%s: one standard SMILES for both drawings, with ten molecules',
  (_, one, other) => {
    const pairs = rests.map((rest) => [drawing(one, rest), drawing(other, rest)] as const)
    expect(pairs.map(([, second]) => standardOf(second))).toEqual(
      pairs.map(([first]) => standardOf(first)),
    )
    expect(new Set(pairs.map(([first]) => standardOf(first))).size).toBe(rests.length)
  },
)

test('the standard SMILES of both drawings is stable', () => {
  for (const smiles of groups.flatMap(([, ...both]) => both.map((one) => drawing(one, 'CCC')))) {
    expect(standardOf(standardOf(smiles))).toBe(standardOf(smiles))
  }
})

test('the two configurations of a sulfoxide stay different', () => {
  expect(standardOf('CC[S@](C)=O')).not.toBe(standardOf('CC[S@@](C)=O'))
})

test('a counter-ion on the list is written as RDKit writes it', () => {
  const written = [...counterIons.keys()].map((smiles) => [smiles, standardOf(smiles)])
  expect(written.filter(([smiles, standard]) => smiles !== standard)).toEqual([])
})

test('a removed counter-ion of similar size is named, with what was kept', () => {
  const amantadine = 'NC12CC3CC(CC(C3)C1)C2'
  expect(succeeded(standardise(rdkit, `${amantadine}.Cc1ccc(cc1)S(O)(=O)=O`))).toMatchObject({
    standardSmiles: amantadine,
    warnings: [`Removed tosylate as a counter-ion or solvent; kept ${amantadine}.`],
  })
})

test('counter-ions alone are kept as any compound', () => {
  expect(standardOf('[Na+].OC(=O)CC(O)(CC(=O)[O-])C(=O)O')).toBe('O=C(O)CC(O)(CC(=O)O)C(=O)O')
  expect(standardOf('Cc1ccc(cc1)S(O)(=O)=O.CC(O)=O')).toBe('Cc1ccc(S(=O)(=O)O)cc1')
})

test('with carbon on it a metal stays, with a warning', () => {
  expect(succeeded(standardise(rdkit, 'c1ccccc1[Hg]OC(C)=O')).warnings).toEqual([
    'Contains Hg, which is rare in the training data.',
  ])
})
