/** Properties of a compound, independent of any prediction: size, lipophilicity, polarity and shape. */
import { parsed, unreadable, type Parsed } from '../parsed.ts'
import { netCharge } from './formula.ts'
import { readGraph } from './molecule-graph.ts'
import { trapped, type RdkitModule, type RdkitMolecule } from './rdkit.ts'

/** `logP` after Crippen; `tpsa`: topological polar surface area in Å²; donors and acceptors as RDKit counts them. */
export type MoleculeProperties = {
  /** Average mass in g/mol. */
  mass: number
  logP: number
  tpsa: number
  /** Share of carbon atoms with four single bonds, 0 to 1. */
  fsp3: number
  donors: number
  acceptors: number
  rotatableBonds: number
  rings: number
  heavyAtoms: number
  charge: number
}

/** `smiles` is a standard one, so its size is limited. */
export function readProperties(rdkit: RdkitModule, smiles: string): Parsed<MoleculeProperties> {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (!molecule) return unreadable(0, 'This molecule cannot be read.')
    return parsed(propertiesOf(molecule))
  })
}

export function propertiesOf(molecule: RdkitMolecule): MoleculeProperties {
  const all = JSON.parse(molecule.get_descriptors()) as Record<string, number>
  const read = (name: string) => all[name] ?? Number.NaN
  return {
    mass: read('amw'),
    logP: read('CrippenClogP'),
    tpsa: read('tpsa'),
    fsp3: read('FractionCSP3'),
    donors: read('NumHBD'),
    acceptors: read('NumHBA'),
    rotatableBonds: read('NumRotatableBonds'),
    rings: read('NumRings'),
    heavyAtoms: read('NumHeavyAtoms'),
    // RDKit.js has no descriptor for it.
    charge: netCharge(readGraph(molecule).atoms),
  }
}
