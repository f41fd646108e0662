/**
 * Writes changed charges, hydrogens and isotopes into the text of a SMILES. Editing the text leaves
 * every mark of stereochemistry where it is; RDKit.js loses the double bonds' when it reads back the
 * JSON that it wrote.
 */
import type { GraphAtom } from './molecule-graph.ts'

const bracketAtom =
  /\[\d*(?<symbol>[A-Za-z][a-z]?)(?<chirality>@(?:@|(?:TH|AL|SP|TB|OH)\d+)?)?[^\]]*\]/g

/**
 * `smiles` has every atom in brackets, as RDKit writes it with `allHsExplicit`, and the atoms are those
 * of the text in order. Null where their numbers differ.
 */
export function rewriteAtoms(smiles: string, atoms: GraphAtom[]): string | null {
  let count = 0
  const text = smiles.replace(bracketAtom, (_, symbol: string, chirality: string | undefined) => {
    const atom = atoms[count]
    count += 1
    return atom ? `[${symbol}${chirality ?? ''}${hydrogens(atom)}${charge(atom)}]` : ''
  })
  return count === atoms.length ? text : null
}

function hydrogens(atom: GraphAtom): string {
  if (atom.hydrogens === 0) return ''
  return atom.hydrogens === 1 ? 'H' : `H${atom.hydrogens}`
}

function charge(atom: GraphAtom): string {
  if (atom.charge === 0) return ''
  return atom.charge > 0 ? `+${atom.charge}` : String(atom.charge)
}
