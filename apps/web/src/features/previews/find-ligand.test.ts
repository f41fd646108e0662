/** The ligand of a structure, and the residues near it. */
import { expect, test } from 'vitest'
import { type Atom, findLigand } from './find-ligand.ts'

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
