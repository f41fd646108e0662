/**
 * Finds the core shared by the molecules of a series, and orients a molecule so that its core is drawn as in the
 * others: a list of them can then be compared at a glance.
 */
import { trapped, type RdkitModule, type RdkitMolecule } from '../smiles/rdkit.ts'
import { layOut } from './lay-out.ts'

export type CommonCore = {
  smarts: string
  /** Molblock of the molecule whose drawing the others follow. */
  reference: string
}

/** A smaller core, such as one benzene ring, says nothing about a series. */
const CORE_ATOMS_MIN = 8
/** Share of the molecules that must contain the core, so that a single outlier does not prevent it. */
const SHARE_MIN = 0.8
const search = JSON.stringify({
  Timeout: 1,
  Threshold: SHARE_MIN,
  RingMatchesRingOnly: true,
  CompleteRingsOnly: true,
})

/** `smiles` are standard ones, at most a dozen: search time grows with each. Null if they share no core. */
export function findCore(rdkit: RdkitModule, smiles: string[]): CommonCore | null {
  return trapped(() => {
    using molecules = new rdkit.MolList()
    for (const one of smiles) {
      using molecule = rdkit.get_mol(one)
      if (molecule !== null) molecules.append(molecule)
    }
    if (molecules.size() < 2) return null
    const smarts = rdkit.get_mcs_as_smarts(molecules, search)
    using pattern = rdkit.get_qmol(smarts)
    if (pattern === null || pattern.get_num_atoms(true) < CORE_ATOMS_MIN) return null
    for (const one of smiles) {
      using molecule = rdkit.get_mol(one)
      if (molecule === null || molecule.get_substruct_match(pattern) === '{}') continue
      layOut(molecule, true)
      return { smarts, reference: molecule.get_molblock() }
    }
    return null
  })
}

/** Returns false and leaves the molecule unchanged if it does not contain the core. */
export function alignToCore(
  rdkit: RdkitModule,
  molecule: RdkitMolecule,
  { smarts, reference }: CommonCore,
): boolean {
  using template = rdkit.get_mol(reference)
  if (template === null) return false
  const details = { referenceSmarts: smarts, acceptFailure: false, useCoordGen: false }
  const match = molecule.generate_aligned_coords(template, JSON.stringify(details))
  return match !== '' && match !== '{}'
}
