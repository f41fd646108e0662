/**
 * The model's inputs for a compound: positions of its fingerprint bits, and descriptors. Takes a standard SMILES.
 * Stereochemistry is ignored, because most training rows lost it.
 */
import { flatSmiles, isIsomeric } from '../smiles/flat-smiles.ts'
import { type MoleculeGraph, readGraph } from '../smiles/molecule-graph.ts'
import { type Descriptors, readDescriptors } from '../smiles/descriptors.ts'
import { trapped, type RdkitModule, type RdkitMolecule } from '../smiles/rdkit.ts'
import { featureSpec } from './feature-spec.ts'
import { maccsKeys } from './maccs.ts'

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
  return trapped(() => {
    const graph = readGraph(molecule)
    return featuresOf(molecule, readDescriptors(molecule, graph), { graph, only })
  })
}

/** `graph`: of the molecule, if it was read already; `only`: the one block that is wanted. */
type Options = { graph?: MoleculeGraph; only?: Block['name'] | undefined }

/** Features of a molecule as it is; `values`: its descriptors. */
export function featuresOf(
  molecule: RdkitMolecule,
  values: Descriptors,
  options: Options = {},
): CompoundFeatures {
  const descriptors = featureSpec.compound.descriptors.map((name) => finite(values[name]))
  return { bits: setBits(molecule, options), descriptors: Float32Array.from(descriptors) }
}

/** The bits of a molecule as it is; `compoundFeatures` removes its stereochemistry first. */
export function setBits(molecule: RdkitMolecule, { graph, only }: Options = {}): Uint16Array {
  const positions: number[] = []
  let start = 0
  for (const block of featureSpec.compound.blocks) {
    const isWanted = only === undefined || block.name === only
    const bits = isWanted ? bitsIn(block, molecule, graph) : []
    for (const position of bits) positions.push(start + position)
    start += block.size
  }
  return Uint16Array.from(positions)
}

/** Positions within the block, ascending. */
function bitsIn(block: Block, molecule: RdkitMolecule, graph?: MoleculeGraph): number[] {
  const options = JSON.stringify(block.options)
  switch (block.name) {
    case 'morgan':
    case 'morgan-counts':
      return positionsOf(molecule.get_morgan_fp_as_uint8array(options))
    case 'atom-pairs':
      return positionsOf(molecule.get_atom_pair_fp_as_uint8array(options))
    case 'torsions':
      return positionsOf(molecule.get_topological_torsion_fp_as_uint8array(options))
    case 'maccs':
      return maccsKeys(graph ?? readGraph(molecule))
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
