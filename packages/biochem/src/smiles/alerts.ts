/**
 * Structural alerts: which SMARTS patterns of the catalogue, or of a user's own list, a compound matches, and with which atoms.
 * Patterns must not contain explicit hydrogens: RDKit.js silently finds nothing with them.
 */
import catalogue from './alerts.json' with { type: 'json' }
import { parsed, unreadable, type Parsed } from '../parsed.ts'
import { type MoleculeGraph, readGraph } from './molecule-graph.ts'
import { trapped, type RdkitModule, type RdkitMolecule } from './rdkit.ts'
import { openSmarts, type SmartsMatch, type SmartsSearch } from './smarts.ts'

export type AlertPattern = { catalogue: string; name: string; smarts: string }

/** Of a user's own patterns. */
export type AlertSearch = {
  /** Indices of the matching patterns, in order. */
  find(molecule: RdkitMolecule): number[]
  /** The same, each with the atoms of all its matches, in SMILES order. */
  locate(molecule: RdkitMolecule): SmartsMatch[]
  delete(): void
}

/**
 * PAINS (Baell and Holloway 2010) and Brenk et al. 2008, as collected by RDKit under its BSD licence, with explicit
 * hydrogens merged into the atoms that carry them. Stored alerts are indices into this list: raise `RECORD_VERSION`
 * with every change of it.
 */
export const alertCatalogue: readonly AlertPattern[] = catalogue

let opened: SmartsSearch | null = null

/** Opening takes a tenth of a second. */
function openCatalogue(): SmartsSearch {
  opened ??= openSmarts(catalogue.map(({ smarts }) => smarts))
  return opened
}

/** Indices of the catalogue's patterns that match, in order. */
export function findAlerts(graph: MoleculeGraph): number[] {
  return openCatalogue().find(graph)
}

/** The alerts of one compound, given as standard SMILES: of a user's own patterns, or of the catalogue. */
export function locateAlerts(
  rdkit: RdkitModule,
  smiles: string,
  own?: AlertSearch,
): Parsed<SmartsMatch[]> {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (!molecule) return unreadable(0, 'This molecule cannot be read.')
    return parsed(own?.locate(molecule) ?? openCatalogue().locate(readGraph(molecule)))
  })
}

/** Null, or why a user's pattern cannot be used. */
export function checkSmarts(rdkit: RdkitModule, smarts: string): string | null {
  if (smarts.trim() === '') return 'The SMARTS is missing.'
  // RDKit treats text after a space as a name.
  if (/\s/.test(smarts)) return 'A SMARTS contains no spaces.'
  if (hasHydrogenAtom(smarts)) {
    return 'Write hydrogens as a count, for example [OX2H1] instead of [O][H] or [#1].'
  }
  return trapped(() => {
    using pattern = rdkit.get_qmol(smarts)
    return pattern === null ? 'This is not valid SMARTS.' : null
  })
}

function hasHydrogenAtom(smarts: string): boolean {
  return /\[\d*H\+?(?::\d+)?\]/.test(smarts) || /(?<!!)#1(?!\d)/.test(smarts)
}

/** `delete` frees the memory of the patterns. */
export function openAlerts(rdkit: RdkitModule, patterns: readonly string[]): AlertSearch {
  const queries = patterns.map((smarts) => {
    const query = rdkit.get_qmol(smarts)
    if (query === null) throw new Error(`an alert cannot be read: ${smarts}`)
    return query
  })
  return {
    find: (molecule) =>
      queries.flatMap((query, at) => (molecule.get_substruct_match(query) === '{}' ? [] : [at])),
    locate: (molecule) =>
      queries.flatMap((query, pattern) => {
        const atoms = atomsOf(molecule.get_substruct_matches(query))
        return atoms.length === 0 ? [] : [{ pattern, atoms }]
      }),
    delete: () => queries.forEach((query) => query.delete()),
  }
}

function atomsOf(matches: string): number[] {
  const found = JSON.parse(matches) as { atoms?: number[] }[] | { atoms?: number[] }
  const all = Array.isArray(found) ? found : [found]
  return [...new Set(all.flatMap(({ atoms = [] }) => atoms))].toSorted((a, b) => a - b)
}
