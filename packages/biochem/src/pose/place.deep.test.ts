/** Placing compounds on the ligand of a structure: made-up molecules, the sample structure, and raw PDB entries. */
import { describe, expect, test } from 'vitest'
import { succeeded } from '../fixtures/results.ts'
import { amprenavir, entryText, sample, siteOf, structureOf } from '../fixtures/sample.ts'
import { openRdkit } from '../smiles/rdkit.ts'
import { mapOntoReference } from './common-core.ts'
import { similarityWithoutOrders } from './environments.ts'
import { readParts } from './molecule-parts.ts'
import { placeCompound, poseFeature, relaxedReferenceEnergy } from './place.ts'
import { preparePocket } from './pocket-atoms.ts'
import { distance, type Points } from './points.ts'
import { listReferences, readReference } from './reference-ligand.ts'
import { poseFunction } from './relax.ts'
import { ringBonds } from './ring-bonds.ts'
import { movingPairs, torsionsOf, turningBonds } from './torsions.ts'
import { openScore } from './vina.ts'

const rdkit = await openRdkit()

function partsOf(smiles: string) {
  using molecule = rdkit.get_mol(smiles)
  if (molecule === null) throw new Error(smiles)
  return readParts(molecule)
}

test('ring bonds are distinguished from others', () => {
  const bonds = [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 1],
    [3, 4],
  ].map(([a = 0, b = 0]) => ({ a, b }))
  expect(ringBonds(bonds)).toEqual([false, true, true, true, false])
})

test('the common core ignores bond orders and keeps rings whole', () => {
  const [mapping] = mapOntoReference(partsOf('Clc1ccc(C(=O)N)cc1'), partsOf('C1CCC(CC1)C(O)N'), 2)
  expect(mapping?.compound).toHaveLength(9)
  expect(mapOntoReference(partsOf('C1CCCC1CC'), partsOf('C1CCCCC1CC'), 2)).toEqual([])
})

test('similarity to the reference needs no bond orders', () => {
  expect(similarityWithoutOrders(partsOf('c1ccccc1C'), partsOf('C1CCCCC1C'))).toBe(1)
  expect(similarityWithoutOrders(partsOf('c1ccccc1C'), partsOf('CCOC(=O)N'))).toBeLessThan(0.2)
})

test('the gradient of the pose function equals finite differences', () => {
  const { reference, pocket } = siteOf(structureOf(sample))
  const { torsions, scored, x } = reference
  expect(torsions.length).toBeGreaterThan(5)
  const f = poseFunction(openScore(pocket.surroundings, scored), x, torsions)
  const p = Float64Array.from({ length: f.variables }, (_, i) => 0.03 * Math.sin(i + 1))
  const [analytic, ignored] = [new Float64Array(f.variables), new Float64Array(f.variables)]
  f.value(p, analytic)
  // Small, so that no pair crosses the cutoff, where the energy jumps.
  const step = 1e-5
  const numeric = p.map((_, k) => {
    const shifted = (by: number) =>
      f.value(
        p.map((v, i) => (i === k ? v + by : v)),
        ignored,
      )
    return (shifted(step) - shifted(-step)) / (2 * step)
  })
  for (const [k, value] of numeric.entries()) {
    expect(Math.abs((analytic[k] ?? 0) - value)).toBeLessThan(0.02 * Math.max(1, Math.abs(value)))
  }
})

test('buffers, ions and cofactors are not reference ligands; the sample’s ligand is', () => {
  expect(listReferences(structureOf(sample), 'A').map(({ id }) => id)).toEqual(['478 200 _'])
})

test('several ligands can be selected; those of the chain come first, larger ones before smaller', () => {
  const lines = sample.split('\n')
  const ligand = lines.filter((line) => line.startsWith('HETATM') && line.slice(17, 20) === '478')
  const part = ligand
    .slice(0, 12)
    .map((line) => `${line.slice(0, 17)}ABX${line.slice(20, 22)} 900${line.slice(26)}`)
  const buffer = ligand
    .slice(0, 8)
    .map((line) => `${line.slice(0, 17)}PEG${line.slice(20, 22)} 901${line.slice(26)}`)
  const end = lines.findLastIndex((line) => line.startsWith('HETATM')) + 1
  const joined = [...lines.slice(0, end), ...part, ...buffer, 'END'].join('\n')
  expect(listReferences(structureOf(joined), 'A').map(({ id }) => id)).toEqual([
    '478 200 _',
    'ABX 900 _',
  ])
})

test('the reference of a partly resolved ligand is its largest connected piece', () => {
  const ligand = structureOf(sample).ligands.find(({ name }) => name === '478')
  if (ligand === undefined) throw new Error('no ligand')
  const whole = readReference(ligand)
  expect(whole.atoms).toHaveLength(35)
  const missing = whole.parts.links.findIndex((links) => links.length === 3)
  const cut = { atoms: ligand.atoms.filter((atom) => atom !== whole.atoms[missing]) }
  const { atoms } = readReference(cut)
  expect(atoms.length).toBeLessThan(34)
  expect(atoms.length).toBeGreaterThan(10)
})

describe('in the pocket of the sample', () => {
  test('the ligand is placed near its measured position, with the stereocentres of its SMILES', () => {
    const site = siteOf(structureOf(sample))
    const { pose } = succeeded(placeCompound(rdkit, site, amprenavir))
    expect(pose.coreAtoms).toBe(35)
    expect(pose.keepsStereo).toBe(true)
    expect(pose.energy).toBeLessThan(-10)
    expect(farthestFrom(pose.x, site.reference.x)).toBeLessThan(2)
    const feature = poseFeature(pose.energy, relaxedReferenceEnergy(site))
    expect(Math.abs(feature)).toBeLessThan(2)
  })

  test('the same input has the same result', () => {
    const site = siteOf(structureOf(sample))
    const energies = [1, 2].map(
      () => succeeded(placeCompound(rdkit, site, `${amprenavir}C`)).pose.meanEnergy,
    )
    expect(energies[0]).toBe(energies[1])
    expect(energies[0]).toEqual(expect.any(Number))
  })

  test('a compound with nothing in common is not placed, with a reason', () => {
    const placed = placeCompound(rdkit, siteOf(structureOf(sample)), 'ClC(Cl)Cl')
    expect(placed).toEqual({
      ok: false,
      reason: 'Too different from the reference ligand: fewer than 5 connected atoms in common.',
    })
  })
})

/** The largest distance from an atom of one to the nearest of the other. */
function farthestFrom(one: Points, other: Points): number {
  const nearest = Array.from({ length: one.length / 3 }, (_, i) =>
    Math.min(...Array.from({ length: other.length / 3 }, (__, j) => distance(one, i, other, j))),
  )
  return Math.max(...nearest)
}

test('every torsion rotates only the atoms beyond its bond, and amides are kept', () => {
  const parts = partsOf('CC(=O)NCCc1ccccc1')
  const turning = turningBonds(parts)
  expect(turning.map(({ a, b }) => `${a}-${b}`)).toEqual(['3-4', '4-5', '5-6'])
  const torsions = torsionsOf(parts, turning)
  expect(movingPairs(parts, torsions).length).toBeGreaterThan(0)
  for (const { b, moving } of torsions) expect([...moving]).not.toContain(b)
})

describe('raw entries', () => {
  test.each([
    ['1hpx', 'KNI 900 B'],
    ['1bju', 'GP6 910 A'],
    ['4dst', '9LI 201 A'],
  ])('%s: the reference is %s', (entry, id) => {
    const structure = structureOf(entryText(`${entry}.pdb`))
    const choices = listReferences(structure, 'A').map((choice) => choice.id)
    expect(choices).toContain(id)
    expect(siteOf(structure).pocket.atoms.length).toBeGreaterThan(300)
  })

  test.each([
    ['one ligand', '1acj.pdb', 1, 'Nc1c2CCCCc2nc2ccccc12'],
    [
      'a ligand per chain',
      '1a28.pdb',
      2,
      'CC(=O)[C@H]1CC[C@@H]2[C@@]1(CC[C@H]3[C@H]2CCC4=CC(=O)CC[C@]34C)C',
    ],
    [
      'four ligands and residues with alternate locations',
      '4pjt.pdb',
      4,
      'Cn1ncnc1[C@H]1c2n[nH]c(=O)c3cc(F)cc(N[C@@H]1c1ccc(F)cc1)c23',
    ],
  ])(
    'a raw entry with %s: its own ligand is placed where it was measured',
    (_, file, ligands, smiles) => {
      const structure = structureOf(entryText(file))
      const chain = structure.chains[0]?.id ?? ''
      const choices = listReferences(structure, chain)
      expect(choices).toHaveLength(ligands)
      const [choice] = choices
      if (choice === undefined) throw new Error('there is no ligand')
      const reference = readReference(choice.ligand)
      const site = { reference, pocket: preparePocket(structure, reference.x) }
      const { pose } = succeeded(placeCompound(rdkit, site, smiles))
      expect(pose.keepsStereo).toBe(true)
      expect(pose.coreAtoms).toBe(choice.heavyAtoms)
      const lies = Float64Array.from(reference.x)
      for (let i = 0; i < pose.parts.elements.length; i++) {
        const nearest = Math.min(
          ...Array.from({ length: lies.length / 3 }, (__, j) => distance(pose.x, i, lies, j)),
        )
        expect(nearest).toBeLessThan(1.2)
      }
    },
  )

  test('the resolved part of a partly resolved ligand is used', () => {
    const structure = structureOf(entryText('1acj.pdb'))
    const [choice] = listReferences(structure, structure.chains[0]?.id ?? '')
    if (choice === undefined) throw new Error('there is no ligand')
    const reference = readReference({ atoms: choice.ligand.atoms.slice(0, 11) })
    const site = { reference, pocket: preparePocket(structure, reference.x) }
    const placed = succeeded(placeCompound(rdkit, site, 'Nc1c2CCCCc2nc2ccccc12'))
    expect(placed.pose.coreAtoms).toBeLessThanOrEqual(11)
    expect(placed.pose.coreAtoms).toBeGreaterThanOrEqual(6)
    expect(placed.pose.parts.elements).toHaveLength(15)
  })
})
