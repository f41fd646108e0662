/** The records of an SD file as a table: the molecule as SMILES, its title as the name, and the data fields. */
import { openRdkit, type RdkitModule } from '@pkdex/biochem'
import type { CompoundTable, InputCompound } from './compound-table.ts'

export function isSdf(text: string): boolean {
  return /^(M {2}END|\$\$\$\$)/m.test(text)
}

/** A record whose molecule cannot be read keeps its row, without SMILES. */
export async function readSdf(text: string): Promise<CompoundTable> {
  const rdkit = await openRdkit()
  const rows = recordsOf(text).map((lines, at) => readRecord(rdkit, lines, at + 1))
  const columns = [...new Set(rows.flatMap(({ own }) => Object.keys(own)))]
  return { columns, rows }
}

/** The lines of each record; text after the last `$$$$` is a record only if it has a molecule. */
function recordsOf(text: string): string[][] {
  const records: string[][] = []
  let lines: string[] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line.startsWith('$$$$')) {
      records.push(lines)
      lines = []
    } else lines.push(line)
  }
  if (lines.includes('M  END')) records.push(lines)
  return records
}

function readRecord(rdkit: RdkitModule, lines: string[], number: number): InputCompound {
  const end = lines.findIndex((line) => line.startsWith('M  END')) + 1
  return {
    smiles: toSmiles(rdkit, lines.slice(0, end).join('\n')),
    name: lines[0]?.trim() || `record ${number}`,
    own: readFields(lines.slice(end)),
  }
}

/** `> <name>`, followed by lines up to a blank one. */
function readFields(lines: string[]): Record<string, string> {
  const fields = new Map<string, string[]>()
  let values: string[] | null = null
  for (const line of lines) {
    const [from, to] = [line.indexOf('<'), line.lastIndexOf('>')]
    if (line.startsWith('>') && from > 0 && to > from) {
      values = []
      fields.set(line.slice(from + 1, to).trim(), values)
    } else if (line.trim() === '') values = null
    else values?.push(line.trim())
  }
  return Object.fromEntries([...fields].map(([name, some]) => [name, some.join('\n')]))
}

function toSmiles(rdkit: RdkitModule, block: string): string {
  using molecule = rdkit.get_mol(block)
  return molecule === null ? '' : molecule.get_smiles()
}
