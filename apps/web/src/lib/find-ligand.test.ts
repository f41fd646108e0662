/** The ligand of a structure, and the residues near it. */
import { expect, test } from 'vitest'
import { type Atom, findLigand, findNamed, residuesOf } from './find-ligand.ts'

function molecule(resn: string, count: number, at: Partial<Atom> = {}): Atom[] {
  return Array.from({ length: count }, (_, index) => {
    return { chain: 'A', resn, resi: 1, isHetero: true, x: index, y: 0, z: 0, ...at }
  })
}
const residue = (resi: number, x: number, chain = 'A') =>
  molecule('ALA', 1, { resi, x, chain, isHetero: false })

test('the largest molecule is the ligand; water, ions and buffers are not', () => {
  const atoms = [
    ...molecule('HOH', 40),
    ...molecule('GOL', 12),
    ...molecule('478', 10, { resi: 200 }),
  ]
  expect(findLigand(atoms, 'A')?.name).toBe('478 (residue 200, chain A)')
  expect(findLigand([...molecule('HOH', 40), ...molecule('SO4', 5)], 'A')).toBeNull()
})

test('a ligand of a file without chains is named like any other', () => {
  const atoms = molecule('478', 10, { resi: 200, chain: '' })
  expect(findLigand(atoms, '')?.name).toBe('478 (residue 200)')
})

test('of two equal ligands the one in the used chain is shown', () => {
  const atoms = [...molecule('LIG', 10), ...molecule('LIG', 10, { chain: 'B' })]
  expect(findLigand(atoms, 'B')?.name).toBe('LIG (residue 1, chain B)')
})

test('residues with an atom within 5 Å are near, from any chain, each once', () => {
  const ligand = molecule('LIG', 10)
  const atoms = [
    ...ligand,
    ...residue(5, -5),
    ...residue(5, -3),
    ...residue(6, -5.1),
    ...residue(7, 14, 'B'),
  ]
  expect(findLigand(atoms, 'A')?.near).toEqual([
    { chain: 'A', resi: 5 },
    { chain: 'B', resi: 7 },
  ])
})

test('residues bonded to the ligand are part of it, and proteins are not', () => {
  const part = (chain: string, resn: string, resi: number, from: number) =>
    Array.from({ length: 8 }, (_, at) => {
      const isHetero = resn !== 'GLY' && resn !== 'ALA'
      return { chain, resn, resi, isHetero, x: from + at * 1.5, y: 0, z: 0 }
    })
  const protein = Array.from({ length: 20 }, (_, at) => part('A', 'GLY', at + 1, at * 12))
  const atoms = [
    ...protein.flat().map((atom) => ({ ...atom, y: 1.5 })),
    ...part('C', '02J', 1, 0),
    ...part('C', 'ALA', 2, 12),
    ...part('C', 'PJE', 3, 24),
    ...part('C', 'FAR', 9, 90),
  ]
  const ligand = findLigand(atoms, 'A')
  expect(ligand?.name).toBe('02J-ALA-PJE (residue 1, chain C)')
  expect(ligand?.near.every(({ chain }) => chain === 'A')).toBe(true)
})

test('a joined ligand is found by its name, whatever the numbers of its residues', () => {
  const part = (resn: string, resi: number, from: number) =>
    molecule(resn, 4, { resi, chain: 'C' }).map((atom, at) => ({ ...atom, x: from + at * 1.5 }))
  const atoms = [...part('02J', 1, 0), ...part('PJE', 301, 6), ...part('010', 7, 12)]
  const of = (reference: string) =>
    residuesOf(findNamed(atoms, reference, 'A')).or.map(({ resn, resi }) => `${resn} ${resi}`)
  expect(of('02J-PJE-010 1 C')).toEqual(['02J 1', '010 7', 'PJE 301'])
  expect(of('PJE 301 C')).toEqual(['PJE 301'])
  expect(of('PJE 301 X')).toEqual(['PJE 301'])
})
