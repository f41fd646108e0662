/**
 * Explains why a SMILES cannot be read, so that it can be corrected: a bracket atom, a misplaced character, or RDKit's
 * own reason.
 */
import { isElement } from './formula.ts'
import type { RdkitModule } from './rdkit.ts'

// Atoms in square brackets, such as `[13CH3]`, `[nH]`, `[C@@H]` or `[Fe+2]`.

export type BracketAtom = { ok: true; symbol: string } | { ok: false; reason: string }

const bracketPattern =
  /^\[(?<isotope>\d{1,3})?(?<symbol>[A-Z][a-z]?|se|as|te|si|[bcnops])(?<chirality>@(?:@|(?:TH|AL|SP|TB|OH)\d{1,2})?)?(?<hydrogens>H\d?)?(?<charge>\+\d{1,2}|-\d{1,2}|\+{1,4}|-{1,4})?(?<map>:\d{1,4})?\]$/

/** The symbol of the atom, lower case if aromatic; or a sentence without its full stop. */
export function readBracketAtom(text: string): BracketAtom {
  const match = bracketPattern.exec(text)
  const symbol = match?.groups?.['symbol']
  if (symbol === undefined) return refuseAtom(explainBracket(text))
  // Aromatic symbols are lower case: the pattern lists those that exist.
  if (!isElement(symbol) && symbol !== symbol.toLowerCase()) {
    return refuseAtom(explainSymbol(symbol))
  }
  return { ok: true, symbol }
}

function explainBracket(text: string): string {
  if (text === '[]') return 'The brackets “[]” are empty'
  if (/\*|^\[\d*R\d*\]$/.test(text)) return `${text} means any atom; this is not a single compound`
  if (/[#;,&!~]/.test(text)) return `${text} is a search pattern (SMARTS), not an atom`
  const clipped = text.length > 24 ? `${text.slice(0, 24)}…` : text
  return `${clipped} is not a valid atom`
}

function explainSymbol(symbol: string): string {
  if (symbol === 'D') return 'Write deuterium as [2H]'
  if (symbol === 'T') return 'Write tritium as [3H]'
  if (symbol === 'R') return '[R] means any group; this is not a single compound'
  return `“${symbol}” is not an element`
}

function refuseAtom(reason: string): BracketAtom {
  return { ok: false, reason }
}

// A misplaced character.

const characterReasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^\[/, 'This “[” is never closed'],
  [/^\]/, 'This “]” was never opened'],
  [/^>/, '“>” makes this a reaction; only single compounds are accepted'],
  [/^\*/, 'The wildcard “*” means any atom; this is not a single compound'],
  [/^[~!&;@^{}]/, 'This character belongs to a search pattern (SMARTS)'],
  [/^%/, '“%” must be followed by a two-digit ring number'],
  [/^[,]/, 'A comma is not part of a SMILES; write a space between the SMILES and the name'],
  [/^["']/, 'Quotation marks are not part of a SMILES'],
  [/^\s/, 'SMILES cannot contain spaces or line breaks'],
  [/^\|/, '“|” is not part of a SMILES'],
]

/** `index` counts from 0. A sentence without its full stop. */
export function explainCharacter(smiles: string, index: number): string {
  const character = String.fromCodePoint(smiles.codePointAt(index) ?? 0)
  const known = characterReasons.find(([pattern]) => pattern.test(character))
  if (known) return known[1]
  const code = character.codePointAt(0) ?? 0
  if (code < 32 || (code >= 127 && code < 160)) return 'There is a control character in the SMILES'
  if (code > 126) return `“${character}” is not allowed; SMILES is plain ASCII`
  if (/[A-Za-z]/.test(character)) {
    return `“${character}” needs brackets`
  }
  return `“${character}” is not part of a SMILES`
}

// Reasons from RDKit.

const FALLBACK = 'This is not valid SMILES.'

const explanations: readonly (readonly [
  pattern: RegExp,
  explain: (match: RegExpExecArray) => string,
])[] = [
  [
    /Explicit valence for atom # (\d+) (\w+), (\d+), is greater/,
    ([, atom, symbol, bonds]) =>
      `Atom ${count(atom)} (${symbol}) has ${bonds} bonds, more than its valence allows.`,
  ],
  [
    /kekulize mol\.\s+Unkekulized atoms: ([\d ]+)/,
    ([, atoms]) =>
      `The aromatic ring through atoms ${countAll(atoms)} has no valid pattern of double bonds; ` +
      'one nitrogen may need to be [nH].',
  ],
  [
    /non-ring atom (\d+) marked aromatic/,
    ([, atom]) => `Atom ${count(atom)} is lower case (aromatic) but not in a ring.`,
  ],
]

/** Reads the SMILES again, with RDKit's log captured. It has passed our own scan before. */
export function explainRefusal(rdkit: RdkitModule, smiles: string): string {
  using log = rdkit.set_log_capture('rdApp.error')
  using molecule = rdkit.get_mol(smiles)
  if (molecule || !log) return FALLBACK
  const message = log.get_buffer()
  for (const [pattern, explain] of explanations) {
    const match = pattern.exec(message)
    if (match) return explain(match)
  }
  return FALLBACK
}

/** RDKit counts atoms from 0, people from 1. */
function count(atom: string | undefined): number {
  return Number(atom) + 1
}

function countAll(atoms: string | undefined): string {
  const numbers = (atoms ?? '').trim().split(' ').map(count)
  return numbers.length > 8 ? `${numbers.slice(0, 8).join(', ')}, …` : numbers.join(', ')
}
