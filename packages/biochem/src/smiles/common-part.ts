/** The largest connected part that two molecules have in common: same elements, same bonds, rings whole. */
import { trapped, type RdkitModule, type RdkitMolecule } from './rdkit.ts'

/** Atoms of the one and of the other, as they stand in their SMILES; the two lists are of one length, and in no common order. */
export type CommonPart = { one: number[]; other: number[] }

/** In seconds; where it is over, the largest part found so far is taken. */
const SEARCH_S_MAX = 1
const details = JSON.stringify({
  Timeout: SEARCH_S_MAX,
  RingMatchesRingOnly: true,
  CompleteRingsOnly: true,
})

/** Empty where they have nothing in common. Throws an `RdkitTrap` where RDKit itself breaks. */
export function commonPart(rdkit: RdkitModule, one: string, other: string): CommonPart {
  return trapped(() => {
    using first = readable(rdkit, one)
    using second = readable(rdkit, other)
    using both = new rdkit.MolList()
    both.append(first)
    both.append(second)
    using pattern = rdkit.get_qmol(rdkit.get_mcs_as_smarts(both, details))
    if (pattern === null) return { one: [], other: [] }
    return { one: atomsOf(first, pattern), other: atomsOf(second, pattern) }
  })
}

function readable(rdkit: RdkitModule, smiles: string): RdkitMolecule {
  const molecule = rdkit.get_mol(smiles)
  if (molecule === null) throw new Error(`RDKit cannot read the SMILES ${smiles}`)
  return molecule
}

function atomsOf(molecule: RdkitMolecule, pattern: RdkitMolecule): number[] {
  const match = JSON.parse(molecule.get_substruct_match(pattern)) as { atoms?: number[] }
  return (match.atoms ?? []).toSorted((a, b) => a - b)
}
