/**
 * Features of a compound with some atoms hidden: all bits except those that need one of these atoms. A hidden atom
 * becomes one without element, which removes the bits that describe it; bits that only the hidden form has are ignored,
 * because no real compound has them.
 */
import { readGraph } from '../smiles/molecule-graph.ts'
import { trapped, type RdkitModule } from '../smiles/rdkit.ts'
import { type CompoundFeatures, compoundFeatures, setBits } from './compound-features.ts'

/** The parts of RDKit's JSON that are read and written here. */
type MoleculeRecord = { molecules: [{ atoms: { z?: number }[] }] }

const NOTE = / \|hidden:(?<atoms>[\d,]+)\|$/

/** Marks hidden atoms, numbered from 0 in the order of `smiles`. */
export function hideAtoms(smiles: string, atoms: number[]): string {
  return atoms.length === 0 ? smiles : `${smiles} |hidden:${atoms.join()}|`
}

/** `smiles`: a standard SMILES, with or without hidden atoms. */
export function visibleFeatures(rdkit: RdkitModule, smiles: string): CompoundFeatures {
  const note = NOTE.exec(smiles)
  if (note === null) return compoundFeatures(rdkit, smiles)
  const molecule = smiles.slice(0, note.index)
  const hidden = new Set(note.groups?.['atoms']?.split(',').map(Number))
  const whole = compoundFeatures(rdkit, molecule)
  const record = readRecord(rdkit, molecule)
  const unmasked = new Set(bitsOf(rdkit, record))
  const left = new Set(bitsOf(rdkit, without(record, hidden)))
  const isLeft = (bit: number) => left.has(bit) || !unmasked.has(bit)
  return { bits: whole.bits.filter(isLeft), descriptors: whole.descriptors }
}

function readRecord(rdkit: RdkitModule, smiles: string): MoleculeRecord {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (molecule === null) throw new Error(`RDKit cannot read the SMILES ${smiles}`)
    return JSON.parse(molecule.get_json()) as MoleculeRecord
  })
}

function without({ molecules: [molecule], ...rest }: MoleculeRecord, hidden: Set<number>) {
  const atoms = molecule.atoms.map((atom, index) => (hidden.has(index) ? { ...atom, z: 0 } : atom))
  return { ...rest, molecules: [{ ...molecule, atoms }] } satisfies MoleculeRecord
}

function bitsOf(rdkit: RdkitModule, record: MoleculeRecord): Uint16Array {
  return trapped(() => {
    using molecule = rdkit.get_mol(JSON.stringify(record))
    if (molecule === null) throw new Error('RDKit cannot read a molecule with an atom hidden')
    return setBits(molecule, readGraph(molecule))
  })
}
