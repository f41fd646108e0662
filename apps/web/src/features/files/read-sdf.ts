/** Reads an SD file as a table: each molecule as SMILES, its title, and its data fields. */
import { Molecule } from 'openchemlib'
import type { CompoundTable } from './compound-table.ts'
import { writeSmiles } from './write-smiles.ts'

/** Reading thousands of records takes seconds; the page stays responsive in between. */
const RECORDS_AT_ONCE = 50

/** An unreadable record has no SMILES. Throws an error with a message for the user. */
export async function readSdf(
  text: string,
  onProgress: (done: number, total: number) => void,
): Promise<CompoundTable> {
  const records = splitRecords(text)
  if (records.length === 0) throw new Error('This is not an SD file with V2000 or V3000 records.')
  const fields = records.map((record) => readFields(record.text))
  const names = [...new Set(fields.flatMap((one) => [...one.keys()]))]
  const rows: string[][] = []
  for (const [at, { text: record }] of records.entries()) {
    const cells = names.map((name) => fields[at]?.get(name) ?? '')
    rows.push([toSmiles(record), record.split('\n', 1)[0]?.trim() ?? '', ...cells])
    if (rows.length % RECORDS_AT_ONCE === 0) {
      onProgress(rows.length, records.length)
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  const lines = records.map(({ line }) => line)
  return { heading: ['SMILES', 'Title', ...names], rows, lines }
}

/** `line`: the line on which the record begins, from 1. */
function splitRecords(file: string): { text: string; line: number }[] {
  const text = file.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  let line = 1
  const records = text.split(/^(?=\$\$\$\$)/m).map((part, at) => {
    // Every record but the first begins with the end mark of the previous one.
    const record = {
      text: at === 0 ? part : part.replace(/^.*\n?/, ''),
      line: at === 0 ? 1 : line + 1,
    }
    line += part.split('\n').length - 1
    return record
  })
  return records.filter((record) => /^M {2}END/m.test(record.text))
}

/** `> <name>`, then lines up to a blank one. */
function readFields(record: string): Map<string, string> {
  const [, data = ''] = record.split(/^M {2}END.*\n?/m, 2)
  const fields = [...data.matchAll(/^>[^\n]*?<([^\n]*)>[^\n]*\n((?:[^\n]+\n?)*)/gm)]
  return new Map(fields.map(([, name = '', value = '']) => [name.trim(), value.trim()]))
}

function toSmiles(record: string): string {
  try {
    const molecule = Molecule.fromMolfile(asDrawn(record))
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
