import { beforeAll, describe, expect, test } from 'vitest'
import { openRdkit, type RdkitModule } from './rdkit.ts'
import { standardise } from './standardise.ts'

let rdkit: RdkitModule
beforeAll(async () => {
  rdkit = await openRdkit()
})

function standardOf(smiles: string) {
  const result = standardise(rdkit, smiles)
  if (!result.ok) throw new Error(result.reason)
  return result
}

function reasonFor(smiles: string): string {
  const result = standardise(rdkit, smiles)
  return result.ok ? `accepted: ${result.standardSmiles}` : result.reason
}

describe('the largest organic fragment is used', () => {
  test('a salt former is left out and named', () => {
    const imatinib = 'Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1'
    expect(standardOf(`CS(=O)(=O)O.${imatinib}`)).toMatchObject({
      standardSmiles: imatinib,
      stripped: ['CS(=O)(=O)O'],
      formula: 'C29H31N7O',
      heavyAtoms: 37,
    })
  })

  test('a larger inorganic ion does not win over a small organic molecule', () => {
    const used = standardOf('C[NH3+].[O-]Cl(=O)(=O)=O')
    expect(used.standardSmiles).toBe('CN')
    expect(used.stripped).toEqual(['[O-][Cl+3]([O-])([O-])[O-]'])
  })

  test.each(['CC(=O)O[Na]', '[K]OC(C)=O', 'CC(=O)[O-].[Na+]'])(
    'a salt is parted into its ions, however it is drawn: %s',
    (smiles) => {
      const used = standardOf(smiles)
      expect(used).toMatchObject({ standardSmiles: 'CC(=O)O', neutralised: 1, warnings: [] })
      expect(used.stripped).toEqual([smiles.includes('K') ? '[K+]' : '[Na+]'])
    },
  )

  test('the choice does not depend on the order in the file', () => {
    const pair = ['CCO', 'CCN', 'CCC']
    expect(standardOf(pair.join('.')).standardSmiles).toBe(
      standardOf(pair.toReversed().join('.')).standardSmiles,
    )
  })

  test('without carbon there is nothing to predict', () => {
    const reason = 'No part of this contains carbon: there is no organic molecule.'
    expect(reasonFor('[Na+].[Cl-]')).toBe(reason)
    expect(reasonFor('O')).toBe(reason)
    expect(reasonFor('[H+]')).toBe(reason)
  })

  test('leaving out another molecule of similar size is said', () => {
    expect(standardOf('CCCCCCO.CCCCCN').warnings).toEqual([
      'Another molecule of similar size was left out, CCCCCN: check that the right one is used.',
    ])
    expect(standardOf('CCCCCCO.CCCCCCO').warnings).toEqual([])
  })
})

describe('leaving out a metal that binds ligands is said', () => {
  test.each([
    ['ferrocene', '[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1', 'Fe'],
    ['a platinum chelate', '[O-]C(=O)C([O-])=O.N[Pt+2]N', 'Pt'],
    ['two metals', '[Ru+2].[Cu+2].c1ccncc1.c1ccncc1', 'Cu, Ru'],
  ])('%s is reduced to an organic part, which is said', (_, smiles, metals) => {
    expect(standardOf(smiles).warnings).toEqual([
      `Left out ${metals}: if this is a metal complex, only one organic part of it is used.`,
    ])
  })

  test.each([
    ['an alkali salt', '[K+].CC(=O)[O-]'],
    ['an alkaline earth salt', '[Ca+2].CC(=O)[O-].CC(=O)[O-]'],
    ['a zinc salt', '[Zn+2].CC(=O)[O-].CC(=O)[O-]'],
    ['an aluminium salt', '[Al+3].CC(=O)[O-].CC(=O)[O-].CC(=O)[O-]'],
    ['a hydrate of a hydrochloride', 'CCN.Cl.O.O'],
    ['a borate', '[Na+].F[B-](F)(F)F.CCN'],
    ['two acids to a base', 'CC(=O)O.CC(=O)O.NCCCCCCCCN'],
  ])('%s is reduced to its organic part without a word', (_, smiles) => {
    expect(standardOf(smiles).warnings).toEqual([])
  })
})

describe('charges are neutralised as the training data had it', () => {
  test.each([
    ['C[NH+](C)Cc1ccccc1.[Cl-]', 'CN(C)Cc1ccccc1', 1],
    ['[Na+].[O-]S(=O)(=O)c1ccccc1', 'O=S(=O)(O)c1ccccc1', 1],
    ['[NH3+]CC(=O)[O-]', 'NCC(=O)O', 2],
    ['[NH3+][C@@H](CCC(=O)[O-])C(=O)[O-]', 'N[C@@H](CCC(=O)O)C(=O)O', 3],
    ['[nH+]1ccccc1', 'c1ccncc1', 1],
    ['c1nn[n-]n1', 'c1nn[nH]n1', 1],
  ])('%s becomes %s', (smiles, standard, neutralised) => {
    expect(standardOf(smiles)).toMatchObject({ standardSmiles: standard, neutralised })
  })

  test.each([
    ['a betaine', 'C[N+](C)(C)CCC(=O)[O-]'],
    ['a nitro group', 'O=[N+]([O-])c1ccccc1'],
    ['an N-oxide', '[O-][n+]1ccccc1'],
    ['an azide', 'CN=[N+]=[N-]'],
    ['an isocyanide', '[C-]#[N+]C'],
    ['a boronate beside an ammonium', 'CC(C)C[B-]1(O)OCc2cc([C@@H](O)C[NH2+]C(C)(C)C)ccc2O1'],
  ])('%s keeps its charges', (_, smiles) => {
    expect(standardOf(smiles)).toMatchObject({ standardSmiles: smiles, neutralised: 0 })
  })

  test('the acid is neutralised first where a cation holds on to one anion', () => {
    expect(standardOf('C[N+](C)(C)CC([O-])CC(=O)[O-]').standardSmiles).toBe(
      'C[N+](C)(C)CC([O-])CC(=O)O',
    )
  })

  test('a charge that stays is said', () => {
    const used = standardOf('C[n+]1ccccc1.[I-]')
    expect(used.formula).toBe('C6H8N+')
    expect(used.warnings).toEqual(['Carries a charge of +1 that no hydrogen can balance.'])
  })
})

describe('one form for one molecule', () => {
  test.each([
    ['CC(O)=NC', 'CNC(C)=O'],
    ['OC(=N)c1ccc(C(O)=N)cc1', 'NC(=O)c1ccc(C(N)=O)cc1'],
    ['CC(O)=NO', 'CC(=O)NO'],
    ['OC1=NCCC1', 'O=C1CCCN1'],
  ])('the imidic acid %s is written as the amide %s', (smiles, standard) => {
    expect(standardOf(smiles).standardSmiles).toBe(standard)
  })

  test('hydroxypyridines and enols stay as they are written', () => {
    expect(standardOf('Oc1ccccn1').standardSmiles).toBe('Oc1ccccn1')
    expect(standardOf('CC(O)=CC').standardSmiles).toBe('CC=C(C)O')
  })

  test('every edit leaves the stereochemistry elsewhere alone', () => {
    expect(standardOf('C/C=C/[C@H](F)C[NH3+]').standardSmiles).toBe(
      standardOf('C/C=C/[C@H](F)CN').standardSmiles,
    )
    expect(standardOf('C/C=C/[C@H](F)C(O)=NC').standardSmiles).toBe('C/C=C/[C@H](F)C(=O)NC')
    expect(standardOf('C/C=C/[123I]').standardSmiles).toBe('C/C=C/I')
  })

  test('isotope labels and atom numbers are left out, the labels with a word', () => {
    expect(standardOf('[2H]C([2H])([2H])OC')).toMatchObject({
      standardSmiles: 'COC',
      formula: 'C2H6O',
      warnings: ['3 isotope labels left out: formula and mass are those without.'],
    })
    expect(standardOf('[CH3:1][OH:2]')).toMatchObject({ standardSmiles: 'CO', warnings: [] })
  })

  test('marks of other than tetrahedral stereochemistry are left out', () => {
    expect(standardOf('CC[C@SP1H](F)S').standardSmiles).toBe('CCC(F)S')
  })

  test('a standard SMILES with a dative bond is read again', () => {
    const { standardSmiles } = standardOf('COC(=O[U])C')
    expect(standardSmiles).toContain('->')
    expect(standardOf(standardSmiles).standardSmiles).toBe(standardSmiles)
  })

  test('deuterium on a charged atom is moved like any hydrogen', () => {
    expect(standardOf('[2H][N+]([2H])([2H])C')).toMatchObject({
      standardSmiles: 'CN',
      neutralised: 1,
    })
  })

  test('a hydrogen written out on a C=N is not an atom of its own', () => {
    expect(standardOf('[H]/N=C(/N)c1ccccc1').standardSmiles).toBe('N=C(N)c1ccccc1')
  })

  test('a standard SMILES standardises to itself', () => {
    const smiles = 'CC(C)(C)NC(=O)[C@@H]1CN(Cc2cccnc2)CC[NH+]1C[C@@H](O)C/C=C/[N+](=O)[O-].Cl'
    const { standardSmiles } = standardOf(smiles)
    expect(standardOf(standardSmiles)).toMatchObject({
      standardSmiles,
      neutralised: 0,
      stripped: [],
    })
  })
})

describe('what it cannot read it explains', () => {
  test.each([
    ['CC(C)(C)(C)C', 'Atom 2 (C) has 5 bonds, more than its valence allows.'],
    ['Cc', 'Atom 2 is written in lower case (aromatic) but is in no ring.'],
    [
      'c1cccc1',
      'The aromatic ring through atoms 1, 2, 3, 4, 5 has no valid pattern of double bonds; perhaps one of its nitrogens should be [nH].',
    ],
    ['C1CC', 'Ring 1 is opened here and never closed (character 2).'],
  ])('%s', (smiles, reason) => {
    expect(reasonFor(smiles)).toBe(reason)
  })

  test('radicals and unusual elements are said', () => {
    expect(standardOf('C[CH2]').warnings).toEqual([
      'Has 1 unpaired electron: perhaps a hydrogen is missing in brackets.',
    ])
    expect(standardOf('C[Si](C)(C)C').warnings).toEqual([
      'Contains Si, which the predictor has hardly ever seen.',
    ])
  })
})
