/**
 * A user's own reference ligand: a molecule file with coordinates in the frame of the structure, or the SMILES of a
 * ligand in the structure, which adds the bond orders missing in the structure file.
 */
import type { Structure } from '../pdb/structure.ts'
import { type RdkitModule, smilesLimits, trapped } from '../smiles/rdkit.ts'
import { mapOntoReference } from './common-core.ts'
import { FAR, type Parts, readParts, typeCompound } from './molecule-parts.ts'
import { at, type Points } from './points.ts'
import { listReferences, readReference, type Reference } from './reference-ligand.ts'
import { movingPairs, torsionsOf, turningBonds } from './torsions.ts'

export type OwnLigand = { parts: Parts; x: Points }
type Read<T> = { ok: true; value: T } | { ok: false; reason: string }

const HEAVY_ATOMS_MIN = 6
const HEAVY_ATOMS_MAX = 120
/** Maximum distance of a contact with the chain, in Å. */
const CONTACT = 4.5
/** Closer atoms, in Å, overlap. */
const OVERLAP = 1.5
/** One atom may be bonded to the protein. */
const OVERLAPS_MAX = 2
/** In Å. */
const FLAT = 0.01

/** The only molecule of an SDF or molfile. */
export function readOwnSdf(rdkit: RdkitModule, text: string): Read<OwnLigand> {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  const records = lines.split(/^\$\$\$\$.*\n?/m).filter((record) => record.trim() !== '')
  if (records.length > 1) return refused(`The SDF has ${records.length} molecules. Send one.`)
  const found = trapped(() => {
    using molecule = rdkit.get_mol(records[0] ?? '')
    return molecule === null
      ? null
      : { parts: readParts(molecule), x: coordinatesOf(molecule.get_json()) }
  })
  if (found === null) return refused('The SDF cannot be read.')
  const problem = problemOf(found.parts)
  if (problem !== null) return refused(problem)
  const { parts, x } = found
  if (x === null || isFlat(x)) {
    return refused(
      'The SDF has no 3D coordinates, so compounds cannot be placed on it. Send the ligand with coordinates in the frame of the structure.',
    )
  }
  return { ok: true, value: { parts, x } }
}

/** A SMILES has no coordinates: it gets those of the ligand in the structure that is the same molecule. */
export function layOntoLigand(
  rdkit: RdkitModule,
  smiles: string,
  { structure, chain }: { structure: Structure; chain: string },
): Read<OwnLigand & { of: string }> {
  const parts =
    smiles.length > smilesLimits.characters
      ? null
      : trapped(() => {
          using molecule = rdkit.get_mol(smiles)
          return molecule === null ? null : readParts(molecule)
        })
  if (parts === null) return refused('The SMILES cannot be read.')
  const problem = problemOf(parts)
  if (problem !== null) return refused(problem)
  for (const { id, ligand } of listReferences(structure, chain)) {
    const reference = readReference(ligand)
    const order = sameAtoms(parts, reference.parts)
    if (order === null) continue
    const x = Float64Array.from(
      order.flatMap((j) => [0, 1, 2].map((k) => at(reference.x, 3 * j + k))),
    )
    return { ok: true, value: { parts, x, of: id } }
  }
  return refused(
    'No ligand of the structure is this molecule. A SMILES has no coordinates: it only adds bond orders to a ligand of the structure. Send an SDF with coordinates instead.',
  )
}

/** Why compounds cannot be placed on it in this chain; null if they can. */
export function findMisplacement(
  { chains }: Structure,
  chain: string,
  { x }: Pick<OwnLigand, 'x'>,
): string | null {
  const own = chains.filter(({ id }) => id === chain)
  const nearest = Math.min(...gapsTo(own, x))
  if (nearest > CONTACT) {
    return `The ligand is not in the pocket: it is ${nearest.toFixed(1)} Å from chain ${chain}. Its coordinates must be in the frame of the structure.`
  }
  const overlaps = gapsTo(chains, x).filter((gap) => gap < OVERLAP).length
  if (overlaps <= OVERLAPS_MAX) return null
  return `The ligand overlaps the protein: ${overlaps} of its atoms are within ${OVERLAP} Å of it. Its coordinates must be in the frame of the structure.`
}

/** Distance of each atom to the nearest heavy atom of the chains. */
function gapsTo(chains: Structure['chains'], x: Points): number[] {
  const atoms = chains
    .flatMap(({ residues }) => residues.flatMap((residue) => residue.atoms))
    .filter(({ element }) => element !== 'H' && element !== 'D')
  return Array.from({ length: x.length / 3 }, (_, i) =>
    Math.sqrt(atoms.reduce((least, atom) => Math.min(least, squaredGap(x, i, atom)), Infinity)),
  )
}

export function referenceOf({ parts, x }: OwnLigand): Reference {
  const torsions = torsionsOf(parts, turningBonds(parts))
  return {
    parts,
    x,
    atoms: parts.elements.map((element, i) => ({
      name: `${element}${i + 1}`,
      element,
      x: at(x, 3 * i),
      y: at(x, 3 * i + 1),
      z: at(x, 3 * i + 2),
    })),
    torsions,
    scored: {
      count: parts.elements.length,
      ...typeCompound(parts),
      pairs: movingPairs(parts, torsions),
    },
  }
}

/** The structure without the ligands that the own ligand overlaps. */
export function withoutOverlapping(structure: Structure, { x }: Pick<OwnLigand, 'x'>): Structure {
  const ligands = structure.ligands.filter(({ atoms }) =>
    atoms.every((atom) =>
      Array.from({ length: x.length / 3 }, (_, i) => squaredGap(x, i, atom)).every(
        (gap) => gap >= OVERLAP ** 2,
      ),
    ),
  )
  return { ...structure, ligands }
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

function problemOf({ elements, steps }: Parts): string | null {
  const count = elements.length
  if (count < HEAVY_ATOMS_MIN || count > HEAVY_ATOMS_MAX) {
    return `The ligand has ${count} heavy atoms; it must have ${HEAVY_ATOMS_MIN} to ${HEAVY_ATOMS_MAX}.`
  }
  if (steps[0]?.includes(FAR) === true) {
    return 'The ligand has separate parts. Send it without salts, ions and water.'
  }
  return null
}

/** For each atom of the SMILES, the atom of the ligand; null if they are different molecules. */
function sameAtoms(parts: Parts, ligand: Parts): number[] | null {
  const count = parts.elements.length
  if (ligand.elements.length !== count || ligand.bonds.length !== parts.bonds.length) return null
  const [mapping] = mapOntoReference(parts, ligand, 1)
  if (mapping?.compound.length !== count) return null
  const order = Array.from({ length: count }, (_, i) =>
    at(mapping.reference, mapping.compound.indexOf(i)),
  )
  return order.every((j, i) => parts.elements[i] === ligand.elements[j]) ? order : null
}

type Conformers = { molecules: [{ conformers?: { dim: number; coords: number[][] }[] }] }

/** Null if the file contains a 2D drawing. */
function coordinatesOf(json: string): Points | null {
  const [{ conformers: [conformer] = [] }] = (JSON.parse(json) as Conformers).molecules
  return conformer?.dim === 3 ? Float64Array.from(conformer.coords.flat()) : null
}

/** Whether all atoms are in one plane of the axes, as in a drawing. */
function isFlat(x: Points): boolean {
  return [0, 1, 2].some((axis) =>
    x.every((value, place) => place % 3 !== axis || Math.abs(value - at(x, axis)) < FLAT),
  )
}

function squaredGap(x: Points, i: number, atom: { x: number; y: number; z: number }): number {
  return (
    (at(x, 3 * i) - atom.x) ** 2 +
    (at(x, 3 * i + 1) - atom.y) ** 2 +
    (at(x, 3 * i + 2) - atom.z) ** 2
  )
}
