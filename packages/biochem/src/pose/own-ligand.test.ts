/** Reference ligands that users give, on the sample structure with its own ligand. */
import { expect, test } from 'vitest'
import { succeeded } from '../fixtures/results.ts'
import { amprenavir, sample, structureOf } from '../fixtures/sample.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import {
  findMisplacement,
  layOntoLigand,
  type OwnLigand,
  readOwnSdf,
  referenceOf,
  withoutOverlapping,
} from './own-ligand.ts'
import { placeCompound, relaxedReferenceEnergy } from './place.ts'
import { preparePocket } from './pocket-atoms.ts'
import { writePoseSdf } from './write-pose.ts'

const structure = structureOf(sample)

const rdkit = await openRdkit()
const ligand = succeeded(layOntoLigand(rdkit, amprenavir, { structure, chain: 'A' })).value

const sdfOf = ({ parts, x }: OwnLigand) =>
  writePoseSdf({ parts, x }, { name: 'ligand', remark: '', fields: {} })

const moved = (by: number): OwnLigand => ({ ...ligand, x: ligand.x.map((value) => value + by) })

test('a SMILES gets the coordinates of the ligand that is the same molecule', () => {
  expect(ligand.of).toBe('478 200 _')
  expect(ligand.parts.elements).toHaveLength(35)
  expect(findMisplacement(structure, 'A', ligand)).toBeNull()
  const bonds = ligand.parts.bonds.map(({ a, b }) =>
    Math.hypot(...[0, 1, 2].map((k) => (ligand.x[3 * a + k] ?? 0) - (ligand.x[3 * b + k] ?? 0))),
  )
  expect(Math.min(...bonds)).toBeGreaterThan(1.1)
  expect(Math.max(...bonds)).toBeLessThan(2)
})

test('an SDF is read with its coordinates, and compounds are placed on it', () => {
  const given = succeeded(readOwnSdf(rdkit, sdfOf(ligand)))
  expect(given.value.x).toHaveLength(105)
  const reference = referenceOf(given.value)
  const pocket = preparePocket(withoutOverlapping(structure, given.value), reference.x)
  const site = { reference, pocket }
  expect(relaxedReferenceEnergy(site)).toBeLessThan(-10)
  const placed = placeCompound(rdkit, site, amprenavir)
  expect(placed).toMatchObject({ ok: true, pose: { coreAtoms: 35, keepsStereo: true } })
})

test('a ligand of the structure that the own ligand overlaps is not part of the pocket', () => {
  expect(structure.ligands.some(({ name }) => name === '478')).toBe(true)
  const { ligands } = withoutOverlapping(structure, ligand)
  expect(ligands.some(({ name }) => name === '478')).toBe(false)
})

test('a SMILES that matches no ligand of the structure is rejected, because it has no coordinates', () => {
  const other = layOntoLigand(rdkit, amprenavir.replace(/N$/, 'OC'), { structure, chain: 'A' })
  expect(other).toEqual({
    ok: false,
    reason: expect.stringContaining('A SMILES has no coordinates'),
  })
  const broken = layOntoLigand(rdkit, 'C1CC', { structure, chain: 'A' })
  expect(broken).toEqual({ ok: false, reason: 'The SMILES cannot be read.' })
})

test('a 2D drawing is rejected, because compounds cannot be placed on it', () => {
  using molecule = rdkit.get_mol(amprenavir)
  molecule?.set_new_coords()
  expect(readOwnSdf(rdkit, molecule?.get_molblock() ?? '')).toEqual({
    ok: false,
    reason: expect.stringContaining('The SDF has no 3D coordinates'),
  })
})

test('a ligand far from the chain, or inside the protein, is rejected with the distance or the overlap', () => {
  expect(findMisplacement(structure, 'A', moved(60))).toMatch(
    /^The ligand is not in the pocket: it is \d+\.\d Å from chain A\./,
  )
  expect(findMisplacement(structure, 'A', moved(6))).toMatch(
    /^The ligand overlaps the protein: \d+ of its atoms are within 1\.5 Å of it\./,
  )
})

test('anything but a single molecule of a ligand’s size is rejected with the reason', () => {
  const sdf = sdfOf(ligand)
  const reasonOf = (text: string) => {
    const given = readOwnSdf(rdkit, text)
    return given.ok ? null : given.reason
  }
  expect(reasonOf(sdf.replaceAll('\n', '\r\n'))).toBeNull()
  expect(reasonOf(sdf + sdf)).toBe('The SDF has 2 molecules. Send one.')
  expect(reasonOf('not a molecule')).toBe('The SDF cannot be read.')
  const small = layOntoLigand(rdkit, 'CCO', { structure, chain: 'A' })
  expect(small).toMatchObject({ reason: 'The ligand has 3 heavy atoms; it must have 6 to 120.' })
  const salt = layOntoLigand(rdkit, `${amprenavir}.Cl`, { structure, chain: 'A' })
  expect(salt).toMatchObject({ reason: expect.stringContaining('separate parts') })
})
