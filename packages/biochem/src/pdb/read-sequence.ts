/**
 * Reads FASTA text as a target without coordinates: each record is a chain, named A, B, C and so on.
 * The predicted pKd needs only the sequence; the picture, the 3D view and poses need a structure.
 */
import { type Parsed, parsed, unreadable } from '../parsed.ts'
import { counted } from '../sentences.ts'
import { aminoAcidLetter, aminoAcidNames } from './residue-names.ts'
import type { Chain, Residue, Structure } from './structure.ts'

/** Maximum number of records: each chain is named by one letter. */
const recordsMax = 26
const residuesMax = 20_000
/** Shorter than this, or with more unknown residues, a sequence is a peptide or a fragment of text. */
const residuesMin = 20

const nameOf = new Map(aminoAcidNames.map((name) => [aminoAcidLetter(name), name]))

/** Alignments of structure predictors begin with a line of lengths, as `#99	1`. */
export function isFasta(text: string): boolean {
  return /^\s*(#[^\n]*\n\s*)*>/.test(text)
}

/**
 * Case-insensitive; spaces, digits, gaps (`-`) and a final `*` are ignored; `J` is read as `X`. Of an alignment, the
 * first sequence, which is the query. An error names the record.
 */
export function readSequence(text: string): Parsed<Structure> {
  const records = recordsOf(text)
  const isAligned = isAlignment(records)
  const used = isAligned ? records.slice(0, 1) : records
  const refused = used[recordsMax]
  if (refused !== undefined) return unreadable(refused.line, tooManyRecords)
  let total = 0
  for (const [index, record] of used.entries()) {
    const refusal = readRecord(record, index)
    if (refusal !== null) return refusal
    total += record.residues.length
    if (total > residuesMax) return unreadable(record.line + 1, tooManyResidues)
  }
  return structureOf(used, isAligned)
}

type Record = { title: string; line: number; lines: string[]; residues: Residue[] }

function recordsOf(text: string): Record[] {
  const records: Record[] = []
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (line.trimStart().startsWith('>')) {
      records.push({ title: line.trim().slice(1).trim(), line: index + 1, lines: [], residues: [] })
      continue
    }
    const record = records.at(-1)
    // The first line of a record of PIR (`>P1;1HPV`) is its title.
    const isTitle = record?.lines.length === 0 && /^(?:P1|F1);/i.test(record.title)
    record?.lines.push(isTitle ? '' : line)
  }
  return records
}

/** Rows of one length, with gaps or, in an a3m file, insertions in small letters. */
function isAlignment(records: readonly Record[]): boolean {
  const [query, ...others] = records.map(({ lines }) => lines.join('').replaceAll(/[\s.]/g, ''))
  if (query === undefined || others.length === 0) return false
  const columns = columnsOf(query)
  if (columns < residuesMin || others.some((row) => columnsOf(row) !== columns)) return false
  return [query, ...others].some((row) => /[A-Za-z]-|-[A-Za-z]/.test(row) || /[A-Z][a-z]/.test(row))
}

function columnsOf(row: string): number {
  return row.replaceAll(/[a-z]/g, '').length
}

/** Fills in the residues of a record; otherwise says why it has none. */
function readRecord(record: Record, index: number): Parsed<never> | null {
  const place = `Record ${index + 1}${record.title === '' ? '' : ` (“${record.title.slice(0, 60)}”)`}`
  const kind = kindOf(record)
  if (kind !== null) return unreadable(record.line, `${place} is ${kind}. ${proteinsOnly}`)
  for (const [offset, line] of record.lines.entries()) {
    const refuse = (reason: string) => unreadable(record.line + 1 + offset, `${place}: ${reason}`)
    const bracket = /[([]\s*(\w{1,5})\s*[)\]]/.exec(line)?.[0]
    if (bracket !== undefined) return refuse(modified(bracket))
    const letters = line
      .toUpperCase()
      .replaceAll(/[\s\d*-]/g, '')
      .replaceAll('J', 'X')
    const strange = Array.from(letters).find((letter) => !nameOf.has(letter))
    if (strange !== undefined) return refuse(notAmino(strange))
    if (record.residues.length + letters.length > residuesMax) {
      return unreadable(record.line + 1 + offset, tooManyResidues)
    }
    for (const letter of letters) record.residues.push(residueOf(letter, record.residues.length))
  }
  return isNucleic(record)
    ? unreadable(record.line, `${place} is ${nucleic}. ${proteinsOnly}`)
    : null
}

const nucleic = 'a DNA or RNA sequence'
const proteinsOnly = 'A target needs protein sequences only: remove this record.'

/** What a record of a structure predictor is, by its heading or contents; null for a protein. */
function kindOf({ title, lines }: Record): string | null {
  const words = title.toLowerCase().split('|').slice(0, 2)
  const kind = words.map((word) => otherKinds.get(word.trim())).find((found) => found !== undefined)
  if (kind !== undefined) return kind
  const text = lines.join('').trim()
  const isSmiles = /[=#@]|[A-Za-z]\d[A-Za-z(]/.test(text) && !/\s/.test(text)
  return isSmiles ? 'a SMILES' : null
}

/** Headings of Boltz (`B|smiles`) and Chai (`ligand|name=…`). */
const otherKinds = new Map([
  ['smiles', 'a SMILES'],
  ['ligand', 'a ligand'],
  ['ccd', 'a ligand'],
  ['glycan', 'a glycan'],
  ['ion', 'an ion'],
  ['dna', nucleic],
  ['rna', nucleic],
])

function isNucleic({ residues }: Record): boolean {
  const known = residues.map(({ letter }) => letter).filter((letter) => letter !== 'X')
  return known.length >= residuesMin && known.every((letter) => 'ACGTUN'.includes(letter))
}

const tooManyRecords = `This FASTA file has more than ${recordsMax} sequences. Upload one protein per file.`
const tooManyResidues = `This FASTA file has more than ${residuesMax.toLocaleString('en')} residues.`

function notAmino(letter: string): string {
  return `“${letter}” is not the one-letter code of an amino acid.`
}

function modified(bracket: string): string {
  return `modified residues in brackets, “${bracket}”, are not read. Write the letter of the standard amino acid.`
}

function residueOf(letter: string, index: number): Residue {
  const name = nameOf.get(letter) ?? 'UNK'
  return { name, parent: name, letter, number: index + 1, insertionCode: '', atoms: [] }
}

function structureOf(records: readonly Record[], isAligned: boolean): Parsed<Structure> {
  const known = Math.max(0, ...records.map(({ residues }) => countKnown(residues)))
  if (known < residuesMin) {
    const sentence = `The longest sequence has only ${counted(known, 'residue')}`
    return unreadable(0, `${sentence}; a target needs at least ${residuesMin}.`)
  }
  return parsed({
    title: records[0]?.title || null,
    pdbCode: null,
    chains: records.filter(({ residues }) => residues.length > 0).map(chainOf),
    ligands: [],
    caps: [],
    waters: 0,
    models: 1,
    secondary: [],
    mapped: [],
    warnings: [
      'Sequence only: there is no structure to show or to place compounds in.',
      ...(isAligned ? [onlyQuery] : []),
    ],
  })
}

const onlyQuery = 'This is an alignment: only its first sequence, the query, is used.'

function chainOf({ residues }: Record, index: number): Chain {
  const id = String.fromCharCode('A'.charCodeAt(0) + index)
  return { id, kind: 'protein', residues, gaps: [], seqres: null }
}

function countKnown(residues: readonly Residue[]): number {
  return residues.filter(({ letter }) => letter !== 'X').length
}
