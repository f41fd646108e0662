/** The largest connected part shared by two molecules: same elements, same bonds, whole rings. */
import { trapped, type RdkitModule, type RdkitMolecule } from './rdkit.ts'

/** Atom indices in both SMILES; the two lists have equal length, but their orders are unrelated. */
export type CommonPart = { one: number[]; other: number[] }

/** In seconds; after it, the largest part found so far is used. */
const SEARCH_S_MAX = 1
const details = JSON.stringify({
  Timeout: SEARCH_S_MAX,
  RingMatchesRingOnly: true,
  CompleteRingsOnly: true,
})

/** Empty if they have nothing in common. Throws an `RdkitTrap` if RDKit breaks. */
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
