/** The lines of a compound file that should hold a molecule: no blank ones, comments or heading. */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { smilesLimits } from './limits.ts'

/** Lines count from 1. */
export type ContentLine = { number: number; text: string }

/** Blank lines and comments included: a file of nothing else must not keep anybody waiting. */
const FILE_LINES_MAX = 100_000

export function readContentLines(body: string): Parsed<ContentLine[]> {
  const lines: ContentLine[] = []
  let isFirst = true
  for (const line of splitLines(body)) {
    if (line.number > FILE_LINES_MAX) return tooMany(line, FILE_LINES_MAX, 'lines')
    if (line.text === '' || line.text.startsWith('#')) continue
    const isPassedOver = isFirst && isHeading(line.text)
    isFirst = false
    if (!isPassedOver) lines.push(line)
    const most = smilesLimits.fileMolecules
    if (lines.length > most) return tooMany(line, most, 'molecules')
  }
  return parsed(lines)
}

function* splitLines(body: string): Generator<ContentLine> {
  const endings = /\r\n|\n|\r|$/g
  let from = 0
  for (let number = 1; from <= body.length; number += 1) {
    endings.lastIndex = from
    const end = endings.exec(body)
    const to = end?.index ?? body.length
    yield { number, text: body.slice(from, to).trim() }
    from = to + Math.max(1, end?.[0].length ?? 1)
  }
}

/** A heading names its columns: `smiles`, `SMILES<tab>Name`, `canonical_smiles,id`, `Name SMILES`, … */
function isHeading(text: string): boolean {
  const words = text.slice(0, 200).replaceAll(/["']/g, '')
  const [first = '', ...others] = words.split(/[\s,;]+/, 4)
  const isColumn = (word: string) => /^(?:[a-z_]*smiles[a-z_]*|smi)$/i.test(word)
  const isKey =
    /^(?:canonical|isomeric|name|title|id|(?:compound|molecule|drug|ligand)(?:_?(?:id|name))?)$/i
  return isColumn(first) || (isKey.test(first) && others.some(isColumn))
}

function tooMany(line: ContentLine, most: number, what: string): Parsed<never> {
  const limit = most.toLocaleString('en')
  return unreadable(line.number, `The file holds more than ${limit} ${what}: split it.`)
}
