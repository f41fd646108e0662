/** Applies a reaction to a molecule until it finds no more place. */
import type { RdkitModule } from './open-rdkit.ts'

/** More than a molecule of the size we read can hold. */
const ROUNDS_MAX = 125

/** `reaction` is written as SMARTS. RDKit keeps the rest of the molecule as it is, stereo included. */
export function applyReaction(rdkit: RdkitModule, reaction: string, smiles: string): string {
  let current = smiles
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = applyOnce(rdkit, reaction, current)
    if (next === null) return current
    current = next
  }
  return current
}

/** All products as one SMILES; null where the reaction has no place. */
function applyOnce(rdkit: RdkitModule, smarts: string, smiles: string): string | null {
  using reaction = rdkit.get_rxn(smarts)
  using molecule = rdkit.get_mol(smiles)
  using reactants = new rdkit.MolList()
  if (!reaction || !molecule) return null
  reactants.append(molecule)
  using outcomes = reaction.run_reactants(reactants, 1)
  using products = outcomes.get(0)
  if (!products) return null
  const parts: string[] = []
  for (let index = 0; index < products.size(); index += 1) {
    using product = products.at(index)
    if (product) parts.push(product.get_smiles())
  }
  return parts.join('.')
}
