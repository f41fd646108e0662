/** Writes pairs as SDF: one record per molecule, with the columns of the table as its data. */
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { cellsOf } from '#server/platform/db/encode-rows.ts'
import type { WideRow, WideTable } from './own-columns.ts'
import { standardOf } from './standard-smiles.ts'

export const SDF_TYPE = 'chemical/x-mdl-sdfile'

/** A record without coordinates keeps its data. */
const NO_ATOMS = `
     pKdex

  0  0  0  0  0  0  0  0  0  0999 V2000
M  END
`

type SdfRequest = { userId: string; wide: WideTable; count: number }

/** Pairs of rows without a molecule are skipped, because an SDF record needs one. */
export async function* writeSdf(
  { writeMolblocks }: Pick<ParsingWorkers, 'writeMolblocks'>,
  { userId, wide, count }: SdfRequest,
): AsyncGenerator<string> {
  for await (const page of wide.pages(0, count)) {
    const smiles = [...new Set(page.flatMap((row) => standardOf(row) ?? []))]
    const placed = await writeMolblocks(userId, smiles)
    const blocks = new Map(smiles.map((one, at) => [one, placed[at] ?? NO_ATOMS]))
    const records = page.map((row) => {
      const block = blocks.get(standardOf(row) ?? '')
      return block === undefined ? '' : writeRecord(row, wide.columns, block)
    })
    yield records.join('')
  }
}

function writeRecord(row: WideRow, columns: string[], block: string): string {
  const cells = cellsOf(row, columns)
  const fields = columns.map((column, at) => {
    const value = cells[at]
    return isEmpty(value) ? '' : `>  <${toFieldName(column)}>\n${toLine(String(value))}\n\n`
  })
  // The first line of a block is the name of the molecule.
  const named = block.slice(block.indexOf('\n'))
  return `${toLine(String(row['compound']))}${named}${fields.join('')}$$$$\n`
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

/** An angle bracket would end the field name. */
function toFieldName(column: string): string {
  return toLine(column).replaceAll(/[<>]/g, '_')
}

/** One line that cannot be mistaken for the end of a record or for a field name. */
function toLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replace(/^(?=\$\$\$\$|>)/, ' ')
}
