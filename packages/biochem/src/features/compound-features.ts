/**
 * The model's inputs for a compound: positions of its fingerprint bits, and descriptors. Takes a standard SMILES.
 * Stereochemistry is ignored, because most training rows lost it.
 */
import { readFlat } from '../smiles/flat-smiles.ts'
import { type MoleculeGraph, readGraph } from '../smiles/molecule-graph.ts'
import { type Descriptors, readDescriptors } from '../smiles/descriptors.ts'
import { trapped, type RdkitModule, type RdkitMolecule } from '../smiles/rdkit.ts'
import { featureSpec } from './feature-spec.ts'
import { fold, type MoleculeParts, readParts } from './fingerprints.ts'
import { maccsKeys } from './maccs.ts'

export type CompoundFeatures = {
  /** Positions of the set bits in all blocks of the spec, ascending. */
  bits: Uint16Array
  /** In the order of the spec. */
  descriptors: Float32Array
}

type Block = (typeof featureSpec.compound.blocks)[number]

/** Throws if RDKit cannot read the SMILES: a standard SMILES was read once already. */
export function compoundFeatures(rdkit: RdkitModule, smiles: string): CompoundFeatures {
  using molecule = trapped(() => readFlat(rdkit, smiles))
  if (molecule === null) throw new Error(`RDKit cannot read the SMILES ${smiles}`)
  return trapped(() => {
    const graph = readGraph(molecule)
    return featuresOf(molecule, graph, readDescriptors(molecule, graph))
  })
}

/** Features of a molecule as it is; `values`: its descriptors. */
export function featuresOf(
  molecule: RdkitMolecule,
  graph: MoleculeGraph,
  values: Descriptors,
): CompoundFeatures {
  const descriptors = featureSpec.compound.descriptors.map((name) => finite(values[name]))
  return { bits: setBits(molecule, graph), descriptors: Float32Array.from(descriptors) }
}

/** The bits of a molecule as it is; `compoundFeatures` removes its stereochemistry first. */
export function setBits(molecule: RdkitMolecule, graph: MoleculeGraph): Uint16Array {
  const parts = readParts(graph)
  const positions: number[] = []
  let start = 0
  for (const block of featureSpec.compound.blocks) {
    for (const position of bitsIn(block, { molecule, graph, parts })) {
      positions.push(start + position)
    }
    start += block.size
  }
  return Uint16Array.from(positions)
}

type Molecule = { molecule: RdkitMolecule; graph: MoleculeGraph; parts: MoleculeParts | null }

/** Positions within the block, ascending. Fingerprints without `parts` are RDKit's own. */
function bitsIn({ name, size, options }: Block, { molecule, graph, parts }: Molecule): number[] {
  const text = JSON.stringify(options)
  switch (name) {
    case 'morgan':
      if (parts !== null) return fold(parts.environments, size, false)
      return positionsOf(molecule.get_morgan_fp_as_uint8array(text))
    case 'morgan-counts':
      if (parts !== null) return fold(parts.environments, size, true)
      return positionsOf(molecule.get_morgan_fp_as_uint8array(text))
    case 'atom-pairs':
      if (parts !== null) return fold(parts.pairs, size, true)
      return positionsOf(molecule.get_atom_pair_fp_as_uint8array(text))
    case 'torsions':
      if (parts !== null) return fold(parts.torsions, size, true)
      return positionsOf(molecule.get_topological_torsion_fp_as_uint8array(text))
    case 'maccs':
      return maccsKeys(graph)
  }
}

function positionsOf(bytes: Uint8Array): number[] {
  const positions: number[] = []
  for (let at = 0; at < bytes.length; at += 1) {
    for (let left = bytes[at] ?? 0; left !== 0; left &= left - 1) {
      positions.push(at * 8 + 31 - Math.clz32(left & -left))
    }
  }
  return positions
}

/** Some shape indices of very small molecules are NaN; they count as 0. */
function finite(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
