/** Contacts and files of a pose in the pocket of the sample structure. */
import { expect, test } from 'vitest'
import { succeeded } from '../fixtures/results.ts'
import { amprenavir, sample, siteOf, structureOf } from '../fixtures/sample.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { listContacts } from './contacts.ts'
import { placeCompound, type PlacedPose } from './place.ts'
import { writeComplexPdb, writePoseSdf } from './write-pose.ts'

const darunavir =
  'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CO[C@@H]3[C@H]2CCO3)O)S(=O)(=O)c4ccc(cc4)N'
const charged = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)C(=O)[O-]'

const rdkit = await openRdkit()

function poseOf(site: ReturnType<typeof siteOf>, smiles: string): PlacedPose {
  return succeeded(placeCompound(rdkit, site, smiles)).pose
}

test('amprenavir in its pocket: a hydrogen bond with a catalytic aspartate, hydrophobic contacts once per residue', () => {
  const site = siteOf(structureOf(sample))
  const contacts = listContacts(site, poseOf(site, amprenavir))
  const bonds = contacts.filter(({ kind }) => kind === 'hydrogen bond')
  expect(bonds.map(({ residue }) => residue)).toContain('ASP 25')
  expect(bonds[0]?.words).toMatch(
    /^Hydrogen bond: OH \(O\d+\) donates to \w+ of ASP 25 \(chain \w\), \d\.\d Å$/,
  )
  const greasy = contacts.filter(({ kind }) => kind === 'hydrophobic')
  const residues = greasy.map(({ residue, chain }) => `${residue} ${chain}`)
  expect(residues.some((name) => name.startsWith('ILE 84'))).toBe(true)
  expect(new Set(residues).size).toBe(residues.length)
})

test('a hydrogen is in one hydrogen bond, and a group has one line per residue', () => {
  const site = siteOf(structureOf(sample))
  for (const smiles of [darunavir, amprenavir]) {
    const pose = poseOf(site, smiles)
    const bonds = listContacts(site, pose).filter(({ kind }) => kind === 'hydrogen bond')
    const lines = bonds.map((bond) => `${bond.compoundAtom} ${bond.residue} ${bond.chain}`)
    expect(new Set(lines).size).toBe(lines.length)
    const given = bonds.filter(({ words }) => / (donates to|with) /.test(words))
    for (const { compoundAtom: atom } of given) {
      const count = given.filter((other) => other.compoundAtom === atom).length
      expect(count).toBeLessThanOrEqual(pose.parts.hydrogens[atom] ?? 0)
    }
  }
})

test('an atom pushed into the protein is a clash', () => {
  const site = siteOf(structureOf(sample))
  const pose = poseOf(site, amprenavir)
  const { x } = site.pocket.surroundings
  const carbon = site.pocket.atoms.findIndex(
    ({ residue, name }) => residue === 'ILE 50' && name === 'CB',
  )
  const moved = pose.x.slice()
  moved.set([(x[3 * carbon] ?? 0) + 1.5, x[3 * carbon + 1] ?? 0, x[3 * carbon + 2] ?? 0], 0)
  const clashes = listContacts(site, { ...pose, x: moved }).filter(({ kind }) => kind === 'clash')
  expect(clashes.map(({ words }) => words)).toContain(
    'Clash: C1 is too close to CB of ILE 50 (chain A), 1.5 Å',
  )
})

test('the SDF record reads back as the same molecule, with charge and position', () => {
  const site = siteOf(structureOf(sample))
  const pose = poseOf(site, charged)
  const sdf = writePoseSdf(pose, { name: 'acid', remark: 'A model', fields: { Pose: 'A model' } })
  expect(sdf.startsWith('acid\n')).toBe(true)
  expect(sdf).toContain('>  <Pose>\nA model\n')
  using back = rdkit.get_mol(sdf)
  using asked = rdkit.get_mol(charged)
  expect(back?.get_smiles()).toBe(asked?.get_smiles())
})

test('the PDB file contains the compound in place of the reference ligand, and is readable', () => {
  const site = siteOf(structureOf(sample))
  const pose = poseOf(site, amprenavir)
  const { structure, choice } = site
  const text = writeComplexPdb(structure, pose, {
    name: 'amprenavir',
    remark: 'A model',
    reference: choice.ligand,
  })
  const read = structureOf(text)
  expect(read.ligands.map(({ name }) => name)).toEqual(['LIG'])
  expect(read.chains.map(({ id, residues }) => `${id} ${residues.length}`)).toEqual(
    structure.chains.map(({ id, residues }) => `${id} ${residues.length}`),
  )
  const [ligand] = read.ligands
  expect(ligand?.atoms).toHaveLength(35)
  expect(ligand?.atoms[0]?.x).toBeCloseTo(pose.x[0] ?? 0, 2)
  expect(text).toContain('REMARK   3 A model')
})

test('chains with long names get a one-letter identifier, listed in a remark', () => {
  const site = siteOf(structureOf(sample))
  const pose = poseOf(site, amprenavir)
  const [first, second] = site.structure.chains
  if (first === undefined || second === undefined) throw new Error('no chains')
  const chains = [
    { ...first, id: 'AAA' },
    { ...second, id: 'Z' },
  ]
  const text = writeComplexPdb({ ...site.structure, chains }, pose, {
    name: 'x',
    remark: 'A model',
    reference: site.choice.ligand,
  })
  expect(text).toMatch(/REMARK {3}3 Chain AAA is named [A-Y] here\./)
  expect(text).toMatch(/REMARK {3}3 Chain Z is named [A-Y] here\./)
  const letters = new Set(
    text
      .split('\n')
      .filter((line) => line.startsWith('ATOM'))
      .map((line) => line.charAt(21)),
  )
  expect(letters.size).toBe(2)
  expect(letters).not.toContain('Z')
})
