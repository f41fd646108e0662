import { expect, test } from 'vitest'
import { openRdkit, type RdkitMolecule } from '../smiles/rdkit.ts'
import { alignToCore, findCore } from './common-core.ts'
import { drawMolecule } from './draw-molecule.ts'

const rdkit = await openRdkit()

/** Anilinoquinazolines, the series of gefitinib and erlotinib. */
const series = [
  'COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1OCCCN1CCOCC1',
  'COCCOc1cc2ncnc(Nc3cccc(C#C)c3)c2cc1OCCOC',
  'COc1cc2c(Nc3ccc(Br)cc3F)ncnc2cc1OCC1CCN(C)CC1',
]
const quinazoline = 'c1ccc(Nc2ncnc3ccccc23)cc1'

/** Position of each quinazoline atom, taken from the first molecule. */
function coreOf(molecule: RdkitMolecule): number[][] {
  using pattern = rdkit.get_qmol(quinazoline)
  if (pattern === null) throw new Error('not SMARTS')
  const { atoms } = JSON.parse(molecule.get_substruct_match(pattern)) as { atoms: number[] }
  const places = molecule.get_coords() as number[][]
  const [x0 = 0, y0 = 0] = places[atoms[0] ?? 0] ?? []
  return atoms.map((atom) => {
    const [x = 0, y = 0] = places[atom] ?? []
    return [x - x0, y - y0]
  })
}

test('the core of a series has the same orientation in each of its molecules', () => {
  const core = findCore(rdkit, series)
  if (core === null) throw new Error('no core')
  const [first, ...others] = series.map((smiles) => {
    using molecule = rdkit.get_mol(smiles)
    if (molecule === null) throw new Error(smiles)
    expect(alignToCore(rdkit, molecule, core)).toBe(true)
    return coreOf(molecule)
  })
  for (const places of others) {
    places.forEach(([x = 0, y = 0], atom) => {
      expect(x).toBeCloseTo(first?.[atom]?.[0] ?? Number.NaN, 2)
      expect(y).toBeCloseTo(first?.[atom]?.[1] ?? Number.NaN, 2)
    })
  }
})

test('molecules that share fewer than eight atoms have no core', () => {
  expect(findCore(rdkit, ['CC(=O)Oc1ccccc1C(=O)O', 'CN1C=NC2=C1C(=O)N(C(=O)N2C)C'])).toBeNull()
  expect(findCore(rdkit, series.slice(0, 1))).toBeNull()
})

test('a molecule without the core is drawn as usual', () => {
  const aspirin = 'CC(=O)Oc1ccccc1C(=O)O'
  const options = { width: 300, height: 160, theme: 'light' } as const
  const aligned = drawMolecule(rdkit, aspirin, { ...options, core: findCore(rdkit, series) })
  expect(aligned).toEqual(drawMolecule(rdkit, aspirin, options))
})
