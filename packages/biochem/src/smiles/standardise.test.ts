import { describe, expect, test } from 'vitest'
import { succeeded } from '../fixtures/results.ts'
import { openRdkit } from './rdkit.ts'
import { standardise } from './standardise.ts'

const rdkit = await openRdkit()

const standardOf = (smiles: string) => succeeded(standardise(rdkit, smiles))

function reasonFor(smiles: string): string {
  const result = standardise(rdkit, smiles)
  return result.ok ? `accepted: ${result.standardSmiles}` : result.reason
}

describe('the largest organic fragment is used', () => {
  test('a salt former is removed and named', () => {
    const imatinib = 'Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(-c2cccnc2)n1'
    expect(standardOf(`CS(=O)(=O)O.${imatinib}`)).toMatchObject({
      standardSmiles: imatinib,
      stripped: ['CS(=O)(=O)O'],
      formula: 'C29H31N7O',
      heavyAtoms: 37,
    })
  })

  test('a larger inorganic ion is not preferred to a small organic molecule', () => {
    const used = standardOf('C[NH3+].[O-]Cl(=O)(=O)=O')
    expect(used.standardSmiles).toBe('CN')
    expect(used.stripped).toEqual(['[O-][Cl+3]([O-])([O-])[O-]'])
  })

  test.each(['CC(=O)O[Na]', '[K]OC(C)=O', 'CC(=O)[O-].[Na+]'])(
    'a salt is split into its ions, however it is drawn: %s',
    (smiles) => {
      const used = standardOf(smiles)
      expect(used).toMatchObject({ standardSmiles: 'CC(=O)O', neutralised: 1, warnings: [] })
      expect(used.stripped).toEqual([smiles.includes('K') ? '[K+]' : '[Na+]'])
    },
  )

  test('the choice does not depend on the order of fragments', () => {
    const pair = ['CCO', 'CCN', 'CCC']
    expect(standardOf(pair.join('.')).standardSmiles).toBe(
      standardOf(pair.toReversed().join('.')).standardSmiles,
    )
  })

  test('without carbon a compound is rejected', () => {
    const reason = 'No organic compound: nothing here contains carbon.'
    expect(reasonFor('[Na+].[Cl-]')).toBe(reason)
    expect(reasonFor('O')).toBe(reason)
    expect(reasonFor('[H+]')).toBe(reason)
  })

  test('removing another molecule of similar size is reported', () => {
    expect(standardOf('CCCCCCO.CCCCCN').warnings).toEqual([
      'Removed a second component of similar size (CCCCCN). Check that the right one is used.',
    ])
    expect(standardOf('CCCCCCO.CCCCCCO').warnings).toEqual([])
  })
})

describe('removing a metal that binds ligands is reported', () => {
  test.each([
    ['ferrocene', '[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1', 'Fe'],
    ['a platinum chelate', '[O-]C(=O)C([O-])=O.N[Pt+2]N', 'Pt'],
    ['two metals', '[Ru+2].[Cu+2].c1ccncc1.c1ccncc1', 'Cu, Ru'],
  ])('%s is reduced to an organic part, with a warning', (_, smiles, metals) => {
    expect(standardOf(smiles).warnings).toEqual([
      `Removed ${metals}. If this is a metal complex, only one organic part is used.`,
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
  ])('%s is reduced to its organic part without a warning', (_, smiles) => {
    expect(standardOf(smiles).warnings).toEqual([])
  })
})

describe('charges are neutralised as in the training data', () => {
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

  test('the acid is neutralised first if a cation keeps one anion', () => {
    expect(standardOf('C[N+](C)(C)CC([O-])CC(=O)[O-]').standardSmiles).toBe(
      'C[N+](C)(C)CC([O-])CC(=O)O',
    )
  })

  test('a remaining charge is reported', () => {
    const used = standardOf('C[n+]1ccccc1.[I-]')
    expect(used.formula).toBe('C6H8N+')
    expect(used.warnings).toEqual(['Has a charge of +1 that cannot be neutralised.'])
  })
})

describe('one form per molecule', () => {
  test.each([
    ['CC(O)=NC', 'CNC(C)=O'],
    ['OC(=N)c1ccc(C(O)=N)cc1', 'NC(=O)c1ccc(C(N)=O)cc1'],
    ['CC(O)=NO', 'CC(=O)NO'],
    ['OC1=NCCC1', 'O=C1CCCN1'],
  ])('the imidic acid %s is written as the amide %s', (smiles, standard) => {
    expect(standardOf(smiles).standardSmiles).toBe(standard)
  })

  test('hydroxypyridines and enols are kept as written', () => {
    expect(standardOf('Oc1ccccn1').standardSmiles).toBe('Oc1ccccn1')
    expect(standardOf('CC(O)=CC').standardSmiles).toBe('CC=C(C)O')
  })

  test('every edit preserves the stereochemistry elsewhere', () => {
    expect(standardOf('C/C=C/[C@H](F)C[NH3+]').standardSmiles).toBe(
      standardOf('C/C=C/[C@H](F)CN').standardSmiles,
    )
    expect(standardOf('C/C=C/[C@H](F)C(O)=NC').standardSmiles).toBe('C/C=C/[C@H](F)C(=O)NC')
    expect(standardOf('C/C=C/[123I]').standardSmiles).toBe('C/C=C/I')
  })

  test('isotope labels and atom numbers are removed, isotopes with a warning', () => {
    expect(standardOf('[2H]C([2H])([2H])OC')).toMatchObject({
      standardSmiles: 'COC',
      formula: 'C2H6O',
      warnings: ['3 isotope labels removed; formula and mass ignore isotopes.'],
    })
    expect(standardOf('[CH3:1][OH:2]')).toMatchObject({ standardSmiles: 'CO', warnings: [] })
  })

  test('stereo marks other than tetrahedral are removed', () => {
    expect(standardOf('CC[C@SP1H](F)S').standardSmiles).toBe('CCC(F)S')
  })

  test('a standard SMILES with a dative bond can be read again', () => {
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

  test('an explicit hydrogen on a C=N is not a separate atom', () => {
    expect(standardOf('[H]/N=C(/N)c1ccccc1').standardSmiles).toBe('N=C(N)c1ccccc1')
  })

  test('a standard SMILES is unchanged by standardising again', () => {
    const smiles = 'CC(C)(C)NC(=O)[C@@H]1CN(Cc2cccnc2)CC[NH+]1C[C@@H](O)C/C=C/[N+](=O)[O-].Cl'
    const { standardSmiles } = standardOf(smiles)
    expect(standardOf(standardSmiles)).toMatchObject({
      standardSmiles,
      neutralised: 0,
      stripped: [],
    })
  })
})

describe('an unreadable SMILES gets an explanation', () => {
  test.each([
    ['CC(C)(C)(C)C', 'Atom 2 (C) has 5 bonds, more than its valence allows.'],
    ['Cc', 'Atom 2 is lower case (aromatic) but not in a ring.'],
    [
      'c1cccc1',
      'The aromatic ring through atoms 1, 2, 3, 4, 5 has no valid pattern of double bonds; one nitrogen may need to be [nH].',
    ],
    ['C1CC', 'Ring 1 is opened here but never closed (character 2).'],
    ['C:CO', 'An aromatic bond stands outside a ring.'],
  ])('%s', (smiles, reason) => {
    expect(reasonFor(smiles)).toBe(reason)
  })

  test('radicals and unusual elements are reported', () => {
    expect(standardOf('C[CH2]').warnings).toEqual([
      'Has 1 unpaired electron: a hydrogen may be missing in brackets.',
    ])
    expect(standardOf('C[Si](C)(C)C').warnings).toEqual([
      'Contains Si, which is rare in the training data.',
    ])
  })
})
