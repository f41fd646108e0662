/** Properties of a compound, independent of any prediction: size, lipophilicity, polarity and shape. */
import { parsed, unreadable, type Parsed } from '../parsed.ts'
import { netCharge } from './formula.ts'
import { type MoleculeGraph, readGraph } from './molecule-graph.ts'
import { type Descriptors, readDescriptors } from './descriptors.ts'
import { trapped, type RdkitModule } from './rdkit.ts'

/** RDKit's descriptor, or how else it is computed; and whether it is stored as a whole number. */
type Descriptor = { of: string | ((graph: MoleculeGraph) => number); isWhole: boolean }

/**
 * Each property, named as on the wire (the list of columns in `packages/contract` describes them). A new one needs nothing
 * else here: stored records of another list are computed again.
 */
export const descriptors = {
  mass: { of: 'amw', isWhole: false },
  log_p: { of: 'CrippenClogP', isWhole: false },
  tpsa: { of: 'tpsa', isWhole: false },
  donors: { of: 'NumHBD', isWhole: true },
  acceptors: { of: 'NumHBA', isWhole: true },
  rotatable_bonds: { of: 'NumRotatableBonds', isWhole: true },
  rings: { of: 'NumRings', isWhole: true },
  aromatic_rings: { of: 'NumAromaticRings', isWhole: true },
  fsp3: { of: 'FractionCSP3', isWhole: false },
  heavy_atoms: { of: 'NumHeavyAtoms', isWhole: true },
  // RDKit.js has no descriptor for it.
  charge: { of: ({ atoms }) => netCharge(atoms), isWhole: true },
} as const satisfies Record<string, Descriptor>

type PropertyName = keyof typeof descriptors
export type MoleculeProperties = Record<PropertyName, number>

/** `smiles` is a standard one, so its size is limited. */
export function readProperties(rdkit: RdkitModule, smiles: string): Parsed<MoleculeProperties> {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (!molecule) return unreadable(0, 'This molecule cannot be read.')
    const graph = readGraph(molecule)
    return parsed(propertiesOf(graph, readDescriptors(molecule, graph)))
  })
}

export function propertiesOf(graph: MoleculeGraph, all: Descriptors): MoleculeProperties {
  return mapProperties(({ of }) => (typeof of === 'string' ? (all[of] ?? Number.NaN) : of(graph)))
}

/** A number for each descriptor, in their order. */
export function mapProperties(read: (descriptor: Descriptor) => number): MoleculeProperties {
  const values = Object.entries<Descriptor>(descriptors).map(([name, one]) => [name, read(one)])
  return Object.fromEntries(values) as MoleculeProperties
}
