/**
 * Reads lines of `SMILES name`. Blank lines, lines that begin with `#` and a heading are ignored. As in C, `#line 12` sets
 * the number of the next line.
 */
import { isSmilesLike } from './columns.ts'
import { readShift, type Table } from './table.ts'

/** Only shorter lines may begin with the name. */
const SWAPPED_CHARACTERS_MAX = 5000

type Line = { line: number; text: string; first: string; last: string }

/** A table of two columns. A name may be before its SMILES; further cells after a tab are ignored. */
export function readList(text: string): Table {
  const lines = contentLines(text)
  if (isHeading(lines[0]?.text ?? '')) lines.shift()
  const isSwapped = isNameFirst(lines)
  return {
    heading: ['SMILES', 'Name'],
    rows: lines.map((line) => cellsOf(line, isSwapped)),
    lines: lines.map(({ line }) => line),
    hasHeading: false,
    titles: [],
  }
}

function contentLines(text: string): Line[] {
  const lines: Line[] = []
  let shift = 0
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const trimmed = line.trim()
    if (trimmed.startsWith('#')) shift = readShift(trimmed, at + 1, lines.at(-1)?.line) ?? shift
    else if (trimmed !== '') lines.push({ line: at + 1 + shift, text: trimmed, ...endsOf(trimmed) })
  }
  return lines
}

/** The first and the last word. */
function endsOf(text: string): Pick<Line, 'first' | 'last'> {
  const first = /^\S+/.exec(text)?.[0] ?? ''
  if (text.length > SWAPPED_CHARACTERS_MAX || first === text) return { first, last: '' }
  return { first, last: text.split(/\s+/).at(-1) ?? '' }
}

/** Whether a line names columns: `smiles`, `SMILES Name`, `canonical_smiles,id`, `Name SMILES`, … */
function isHeading(text: string): boolean {
  const words = text.slice(0, 200).replaceAll(/["']/g, '')
  const [first = '', ...others] = words.split(/[\s,;]+/, 4)
  const isColumn = (word: string) => /^(?:[a-z_]*smiles[a-z_]*|smi)$/i.test(word)
  const isKey =
    /^(?:canonical|isomeric|name|title|id|(?:compound|molecule|drug|ligand)(?:_?(?:id|name))?)$/i
  return isColumn(first) || (isKey.test(first) && others.some(isColumn))
}

const NAMES_FIRST_SHARE = 0.2

/** By all lines, because a name such as `B` or `COS` is a SMILES too. */
function isNameFirst(lines: Line[]): boolean {
  const pairs = lines.filter(({ last }) => last !== '')
  const names = pairs.filter(({ first }) => isName(first))
  return (
    names.length > NAMES_FIRST_SHARE * pairs.length && pairs.every(({ last }) => isSmilesLike(last))
  )
}

/** A SMILES in quotes is no name. */
function isName(word: string): boolean {
  return !isSmilesLike(word) && !word.startsWith('"')
}

function cellsOf({ text, first, last }: Line, isSwapped: boolean): string[] {
  if (isSmilesLike(last) && (isSwapped || isName(first))) {
    return [last, text.slice(0, -last.length).trim().replaceAll(/\s+/g, ' ')]
  }
  const behind = text.slice(first.length).trim()
  const extension = /^\|[^|]*\|/.exec(behind)?.[0] ?? ''
  const [name = ''] = behind.slice(extension.length).trim().split('\t', 1)
  return [extension === '' ? first : `${first} ${extension}`, name]
}
