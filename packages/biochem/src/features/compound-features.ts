/**
 * The model's inputs for a compound: positions of its fingerprint bits, and descriptors. Takes a standard SMILES.
 * Stereochemistry is ignored, because most training rows lost it.
 */
import { flatSmiles, isIsomeric } from '../smiles/flat-smiles.ts'
import {
  type Descriptors,
  readDescriptors,
  trapped,
  type RdkitModule,
  type RdkitMolecule,
} from '../smiles/rdkit.ts'
import { featureSpec } from './feature-spec.ts'

export type CompoundFeatures = {
  /** Positions of the set bits in all blocks of the spec, ascending. */
  bits: Uint16Array
  /** In the order of the spec. */
  descriptors: Float32Array
}

type Block = (typeof featureSpec.compound.blocks)[number]

/**
 * Throws if RDKit cannot read the SMILES: a standard SMILES was read once already. `only`: the one block whose bits are
 * wanted, which takes half the time.
 */
export function compoundFeatures(
  rdkit: RdkitModule,
  smiles: string,
  only?: Block['name'],
): CompoundFeatures {
  const flat = isIsomeric(smiles) ? flatSmiles(rdkit, smiles) : smiles
  using molecule = trapped(() => rdkit.get_mol(flat))
  if (molecule === null) throw new Error(`RDKit cannot read the SMILES ${smiles}`)
  return trapped(() => featuresOf(molecule, readDescriptors(molecule), only))
}

/** Features of a molecule as it is; `values`: its descriptors. */
export function featuresOf(
  molecule: RdkitMolecule,
  values: Descriptors,
  only?: Block['name'],
): CompoundFeatures {
  const descriptors = featureSpec.compound.descriptors.map((name) => finite(values[name]))
  return { bits: setBits(molecule, only), descriptors: Float32Array.from(descriptors) }
}

/** The bits of a molecule as it is; `compoundFeatures` removes its stereochemistry first. */
export function setBits(molecule: RdkitMolecule, only?: Block['name']): Uint16Array {
  const positions: number[] = []
  let start = 0
  for (const block of featureSpec.compound.blocks) {
    const isWanted = only === undefined || block.name === only
    const bits = isWanted ? positionsOf(fingerprint(molecule, block), block.size) : []
    for (const position of bits) positions.push(start + position)
    start += block.size
  }
  return Uint16Array.from(positions)
}

function fingerprint(molecule: RdkitMolecule, block: Block): Uint8Array {
  switch (block.name) {
    case 'morgan':
    case 'morgan-counts':
      return molecule.get_morgan_fp_as_uint8array(JSON.stringify(block.options))
    case 'atom-pairs':
      return molecule.get_atom_pair_fp_as_uint8array(JSON.stringify(block.options))
    case 'torsions':
      return molecule.get_topological_torsion_fp_as_uint8array(JSON.stringify(block.options))
    case 'maccs':
      return molecule.get_maccs_fp_as_uint8array()
  }
}

function positionsOf(bytes: Uint8Array, size: number): number[] {
  const positions: number[] = []
  for (let position = 0; position < size; position += 1) {
    const byte = bytes[position >> 3] ?? 0
    if ((byte >> (position & 7)) & 1) positions.push(position)
  }
  return positions
}

/** Some shape indices of very small molecules are NaN; they count as 0. */
function finite(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
