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

export function isFasta(text: string): boolean {
  return /^\s*>/.test(text)
}

/** Case-insensitive; spaces, digits, gaps (`-`) and a final `*` are ignored; `J` is read as `X`. */
export function readSequence(text: string): Parsed<Structure> {
  const records: Record[] = []
  let total = 0
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const record = records.at(-1)
    if (line.trimStart().startsWith('>')) {
      if (records.length === recordsMax) return unreadable(index + 1, tooManyRecords)
      records.push({ title: line.trim().slice(1).trim(), residues: [] })
      continue
    }
    const letters = line
      .toUpperCase()
      .replaceAll(/[\s\d*-]/g, '')
      .replaceAll('J', 'X')
    const strange = Array.from(letters).find((letter) => !nameOf.has(letter))
    if (strange !== undefined) return unreadable(index + 1, notAmino(strange))
    total += letters.length
    if (total > residuesMax) return unreadable(index + 1, tooManyResidues)
    for (const letter of letters) record?.residues.push(residueOf(letter, record.residues.length))
  }
  return structureOf(records)
}

type Record = { title: string; residues: Residue[] }

const tooManyRecords = `This FASTA file has more than ${recordsMax} sequences. Upload one protein per file.`
const tooManyResidues = `This FASTA file has more than ${residuesMax.toLocaleString('en')} residues.`

function notAmino(letter: string): string {
  return `“${letter}” is not the one-letter code of an amino acid.`
}

function residueOf(letter: string, index: number): Residue {
  const name = nameOf.get(letter) ?? 'UNK'
  return { name, parent: name, letter, number: index + 1, insertionCode: '', atoms: [] }
}

function structureOf(records: readonly Record[]): Parsed<Structure> {
  const letters = records
    .flatMap(({ residues }) => residues.map(({ letter }) => letter))
    .filter((letter) => letter !== 'X')
  if (letters.length >= residuesMin && letters.every((letter) => 'ACGTUN'.includes(letter))) {
    return unreadable(0, 'This is a DNA or RNA sequence. A target needs a protein sequence.')
  }
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
    warnings: ['Sequence only: there is no structure to show or to place compounds in.'],
  })
}

function chainOf({ residues }: Record, index: number): Chain {
  const id = String.fromCharCode('A'.charCodeAt(0) + index)
  return { id, kind: 'protein', residues, gaps: [], seqres: null }
}

function countKnown(residues: readonly Residue[]): number {
  return residues.filter(({ letter }) => letter !== 'X').length
}
