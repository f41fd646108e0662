/** Writes OpenChemLib molecules as SMILES whose double bonds have the geometry of the drawing, or none. */
import type { Molecule } from 'openchemlib'

export function writeSmiles(molecule: Molecule): string {
  return withoutContradictions(molecule.toIsomericSmiles())
}

/**
 * The library marks both neighbours of a double-bond atom. In branches and at ring closures the
 * second mark may contradict the first, and readers then ignore both. One mark is enough, so only
 * the first is kept.
 */
function withoutContradictions(smiles: string): string {
  return smiles
    .replaceAll(/[/\\](?=\d|%)/g, '')
    .replaceAll(/([/\\])(\[[^\]]+\]|[A-Z][a-z]?)(\d*)\((?!\1)[/\\]/g, '$1$2$3(')
}
