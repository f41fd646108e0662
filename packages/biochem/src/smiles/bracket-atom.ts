/** Reads one atom in square brackets, such as `[13CH3]`, `[nH]`, `[C@@H]` or `[Fe+2]`. */
import { isElement } from './elements.ts'

export type BracketAtom = { ok: true; symbol: string } | { ok: false; reason: string }

const parts =
  /^\[(?<isotope>\d{1,3})?(?<symbol>[A-Z][a-z]?|se|as|te|si|[bcnops])(?<chirality>@(?:@|(?:TH|AL|SP|TB|OH)\d{1,2})?)?(?<hydrogens>H\d?)?(?<charge>\+\d{1,2}|-\d{1,2}|\+{1,4}|-{1,4})?(?<map>:\d{1,4})?\]$/

export function readBracketAtom(text: string): BracketAtom {
  const match = parts.exec(text)
  const symbol = match?.groups?.['symbol']
  if (symbol === undefined) return refuse(explainBracket(text))
  // Aromatic symbols are lower case: the pattern lists those that exist.
  if (!isElement(symbol) && symbol !== symbol.toLowerCase()) return refuse(explainSymbol(symbol))
  return { ok: true, symbol }
}

function explainBracket(text: string): string {
  if (text === '[]') return 'The brackets "[]" hold no atom'
  if (/\*|^\[\d*R\d*\]$/.test(text)) return `${text} stands for any atom: this is not one molecule`
  if (/[#;,&!~]/.test(text)) return `${text} is a search pattern (SMARTS), not an atom`
  const clipped = text.length > 24 ? `${text.slice(0, 24)}…` : text
  return `${clipped} cannot be read as an atom`
}

function explainSymbol(symbol: string): string {
  if (symbol === 'D') return 'Deuterium is written [2H] in a SMILES'
  if (symbol === 'T') return 'Tritium is written [3H] in a SMILES'
  if (symbol === 'R') return '[R] stands for any group: this is not one molecule'
  return `"${symbol}" is not an element`
}

function refuse(reason: string): BracketAtom {
  return { ok: false, reason }
}
