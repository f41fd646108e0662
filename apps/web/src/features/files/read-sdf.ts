/** Reads an SD file as a table: each molecule as SMILES, its title, and its data fields. */
import { splitSdf } from '@pkdex/intake'
import { Molecule } from 'openchemlib'
import type { CompoundTable } from './compound-table.ts'
import { settleAromatic } from './settle-aromatic.ts'
import { writeSmiles } from './write-smiles.ts'

/** Reading thousands of records takes seconds; the page stays responsive in between. */
const RECORDS_AT_ONCE = 50

/** An unreadable record has no SMILES. Throws an error with a message for the user. */
export async function readSdf(
  text: string,
  onProgress: (done: number, total: number) => void,
): Promise<CompoundTable & { unread: string[] }> {
  const records = splitSdf(text)
  if (!/V[23]000/.test(text)) throw new Error('This is not an SD file with V2000 or V3000 records.')
  const names = [...new Set(records.flatMap(({ fields }) => [...fields.keys()]))]
  const rows: string[][] = []
  const unread: string[] = []
  for (const { block, title, fields, reason } of records) {
    const smiles = reason === null ? toSmiles(block) : ''
    if (smiles === '') {
      unread.push(`Record ${rows.length + 1}: ${reason ?? 'Its molecule cannot be read.'}`)
    }
    rows.push([smiles, title, ...names.map((name) => fields.get(name) ?? '')])
    if (rows.length % RECORDS_AT_ONCE === 0) {
      onProgress(rows.length, records.length)
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  const lines = records.map(({ line }) => line)
  return { heading: ['SMILES', 'Title', ...names], rows, lines, hasHeading: true, unread }
}

function toSmiles(record: string): string {
  try {
    const molecule = Molecule.fromMolfile(asDrawn(record))
    settleAromatic(molecule)
    return molecule.getAllAtoms() === 0 ? '' : writeSmiles(molecule)
  } catch {
    return ''
  }
}

/** Keeps stereochemistry as drawn, even if the record is not flagged chiral. */
function asDrawn(record: string): string {
  const lines = record.split('\n')
  const counts = lines.findIndex((line) => line.startsWith('M  V30 COUNTS'))
  if (counts === -1) lines[3] = `${lines[3]?.slice(0, 12).padEnd(12)}  1${lines[3]?.slice(15)}`
  else lines[counts] = (lines[counts] ?? '').replace(/(COUNTS(?: +\d+){4}) +\d/, '$1 1')
  return lines.join('\n')
}
