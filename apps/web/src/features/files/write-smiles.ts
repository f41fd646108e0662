/** Molecules of OpenChemLib as SMILES that say of double bonds what the drawing shows, or nothing. */
import type { Molecule } from 'openchemlib'

export function writeSmiles(molecule: Molecule): string {
  return withoutContradictions(molecule.toIsomericSmiles())
}

/**
 * The library marks both neighbours of an atom of a double bond, and in branches and at ring closures the
 * second mark may contradict the first; readers then drop both. One mark says it all: the first stays.
 */
function withoutContradictions(smiles: string): string {
  return smiles
    .replaceAll(/[/\\](?=\d|%)/g, '')
    .replaceAll(/([/\\])(\[[^\]]+\]|[A-Z][a-z]?)(\d*)\((?!\1)[/\\]/g, '$1$2$3(')
}
