/**
 * Structural alerts: which of a list of SMARTS patterns a compound matches, and with which atoms. Patterns must not
 * contain explicit hydrogens: RDKit.js silently finds nothing with them.
 */
import catalogue from './alerts.json' with { type: 'json' }
import { parsed, unreadable, type Parsed } from '../parsed.ts'
import { trapped, type RdkitModule, type RdkitMolecule } from './rdkit.ts'

export type AlertPattern = { catalogue: string; name: string; smarts: string }

export type AlertSearch = {
  /** Indices of the matching patterns, in order. */
  find(molecule: RdkitMolecule): number[]
  /** The same, each with the atoms of all its matches, in SMILES order. */
  locate(molecule: RdkitMolecule): { pattern: number; atoms: number[] }[]
  delete(): void
}

/**
 * PAINS (Baell and Holloway 2010) and Brenk et al. 2008, as collected by RDKit under its BSD licence, with explicit
 * hydrogens merged into the atoms that carry them. Stored alerts are indices into this list: raise `RECORD_VERSION`
 * with every change of it.
 */
export const alertCatalogue: readonly AlertPattern[] = catalogue

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

/** Takes a tenth of a second for a few hundred patterns; `delete` frees their memory. */
export function openAlerts(
  rdkit: RdkitModule,
  patterns: readonly Pick<AlertPattern, 'smarts'>[],
): AlertSearch {
  const queries = patterns.map(({ smarts }) => openQuery(rdkit, smarts))

  const find = (molecule: RdkitMolecule) => {
    const words = patternWords(molecule)
    return queries.flatMap((query, at) =>
      mayMatch(query, words) && molecule.get_substruct_match(query.molecule) !== '{}' ? [at] : [],
    )
  }
  return {
    find,
    locate: (molecule) =>
      find(molecule).map((pattern) => {
        const query = queries[pattern]
        const matches = query === undefined ? '[]' : molecule.get_substruct_matches(query.molecule)
        return { pattern, atoms: atomsOf(matches) }
      }),
    delete: () => queries.forEach(({ molecule }) => molecule.delete()),
  }
}

/** The words of a fingerprint in which a pattern has bits: the compound must have all of these. */
type Query = { molecule: RdkitMolecule; places: number[]; words: Uint32Array }

function openQuery(rdkit: RdkitModule, smarts: string): Query {
  const molecule = rdkit.get_qmol(smarts)
  if (molecule === null) throw new Error(`an alert cannot be read: ${smarts}`)
  const words = patternWords(molecule)
  return { molecule, words, places: [...words.keys()].filter((at) => words[at] !== 0) }
}

function mayMatch({ places, words }: Query, compound: Uint32Array): boolean {
  for (const at of places) {
    const word = words[at] ?? 0
    if ((word & (compound[at] ?? 0)) >>> 0 !== word) return false
  }
  return true
}

/** With fewer bits, more patterns are tried in vain: 2,048 leave one in four. */
const FINGERPRINT = JSON.stringify({ nBits: 2048 })

function patternWords(molecule: RdkitMolecule): Uint32Array {
  return new Uint32Array(molecule.get_pattern_fp_as_uint8array(FINGERPRINT).slice().buffer)
}

function atomsOf(matches: string): number[] {
  const found = JSON.parse(matches) as { atoms?: number[] }[] | { atoms?: number[] }
  const all = Array.isArray(found) ? found : [found]
  return [...new Set(all.flatMap(({ atoms = [] }) => atoms))].toSorted((a, b) => a - b)
}

/** Alerts of one compound, given as standard SMILES. */
export function locateAlerts(
  rdkit: RdkitModule,
  alerts: AlertSearch,
  smiles: string,
): Parsed<{ pattern: number; atoms: number[] }[]> {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    if (!molecule) return unreadable(0, 'This molecule cannot be read.')
    return parsed(alerts.locate(molecule))
  })
}
