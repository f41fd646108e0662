/** Reads the molecules of an SD file as SMILES. */
import type { Sheet } from '@pkdex/intake'
import { Molecule } from 'openchemlib'
import { settleAromatic } from './settle-aromatic.ts'
import { writeSmiles } from './write-smiles.ts'

/** Reading thousands of records takes seconds; the page stays responsive in between. */
const RECORDS_AT_ONCE = 50

/** The records from one place to another. An unreadable record has no SMILES. */
export async function readSdf(
  sheet: Sheet,
  { from = 0, to }: { from?: number | undefined; to?: number | undefined },
  onProgress: (done: number) => void,
): Promise<{ sheet: Sheet; unread: string[] }> {
  const rows: string[][] = []
  const unread: string[] = []
  for (const [index, { block, reason }] of sheet.records.slice(from, to).entries()) {
    const at = from + index
    const smiles = reason === null ? toSmiles(block) : ''
    if (smiles === '') {
      unread.push(`Record ${at + 1}: ${reason ?? 'Its molecule cannot be read.'}`)
    }
    rows.push([smiles, ...(sheet.rows[at] ?? []).slice(1)])
    if (rows.length % RECORDS_AT_ONCE === 0) {
      onProgress(rows.length)
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  return { sheet: { ...sheet, rows, lines: sheet.lines.slice(from, to) }, unread }
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
