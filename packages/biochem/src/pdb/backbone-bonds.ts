/** Determines from distances which residues have a backbone, and which are bonded to the next one in a chain. */
import type { Atom, Chain, Residue } from './structure.ts'

/** In Å, with tolerance for poor geometry. */
const peptideBondMax = 2
const alphaCarbonsMax = 4.5
const phosphodiesterBondMax = 2.5
const nucleotidesMax = 9

/** By the bond between them, or if its atoms are missing by the distance of alpha carbons or sugars. */
export function followsDirectly(kind: Chain['kind'], one: Residue, next: Residue): boolean {
  if (kind === 'protein') {
    const bond = distance(atomOf(one, chainEnds), atomOf(next, chainStarts))
    if (bond !== null) return bond <= peptideBondMax
    const step = distance(atomOf(one, ['CA']), atomOf(next, ['CA']))
    return step !== null && step <= alphaCarbonsMax
  }
  const bond = distance(atomOf(one, ["O3'"]), atomOf(next, ['P']))
  if (bond !== null) return bond <= phosphodiesterBondMax
  const step = distance(atomOf(one, sugarAtoms), atomOf(next, sugarAtoms))
  return step !== null && step <= nucleotidesMax
}

/** Whether a bond leads from the first to the next by name, whatever else they lack. */
export function hasPeptideBondTo(one: WithAtoms, next: WithAtoms): boolean {
  const bond = distance(atomOf(one, ['C']), atomOf(next, ['N']))
  return bond !== null && bond <= peptideBondMax
}

/** Too far apart for a bond even in a poor model: another chain, or missing residues. */
export function isFarFrom(kind: Chain['kind'], one: Residue, next: Residue): boolean {
  const names = kind === 'protein' ? ['CA'] : sugarAtoms
  const step = distance(atomOf(one, names), atomOf(next, names))
  return step !== null && step > (kind === 'protein' ? alphaCarbonsFar : nucleotidesFar)
}

/** Whether C and N of a protein are there, and too far apart: the ends of two chains may lie side by side. */
export function isUnbonded(one: Residue, next: Residue): boolean {
  const step = distance(atomOf(one, ['C']), atomOf(next, ['N']))
  return step !== null && step > peptideBondFar
}

const peptideBondFar = 3
const alphaCarbonsFar = 6
const nucleotidesFar = 12

/** Two residue types at one position of a crystal, rather than two residues with one number. */
export function areInOnePlace(one: Residue, other: Residue): boolean {
  const step = distance(atomOf(one, anchors), atomOf(other, anchors))
  return step === null || step < onePlaceMax
}

const anchors = ['CA', 'CA1', "C3'", 'P']
/** In Å; neighbours in a chain are 2.8 Å apart or more. */
const onePlaceMax = 2.5

type WithAtoms = { atoms: readonly Atom[] }

/** The first of these atoms in the residue. */
export function atomOf(residue: WithAtoms, names: readonly string[]): Atom | null {
  for (const name of names) {
    const found = residue.atoms.find((atom) => atom.name === name)
    if (found !== undefined) return found
  }
  return null
}

/** Distance in Å; null if an atom is missing. */
function distance(one: Atom | null, other: Atom | null): number | null {
  if (one === null || other === null) return null
  return Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z)
}

/** Chromophores formed from three residues have C3 and N1 in place of C and N. */
const chainEnds = ['C', 'C3']
const chainStarts = ['N', 'N1']

const sugarAtoms = ["C3'", 'P']

/** Calcium is called CA too. */
export function hasAlphaCarbon(residue: Residue): boolean {
  return atomOf(residue, ['CA', 'CA1'])?.element === 'C'
}

/** N, CA and C at bonding distances, whatever the residue is called. */
export function hasPeptideBackbone(residue: Residue): boolean {
  const alpha = atomOf(residue, ['CA', 'CA1'])
  const toN = distance(alpha, atomOf(residue, ['N', 'N1']))
  const toC = distance(atomOf(residue, ['CA', 'CA3']), atomOf(residue, ['C', 'C3']))
  return toN !== null && toN < backboneBondMax && toC !== null && toC < backboneBondMax
}

const backboneBondMax = 2

/** The sugar of a nucleotide, whatever the residue is called. */
export function hasSugar(residue: Residue): boolean {
  return atomOf(residue, ["C3'"]) !== null && atomOf(residue, ["C1'"]) !== null
}
