/** Pairs as an SDF: each a record of its molecule, with the columns of the table as its data. */
import type { ScreenRow } from '@pkdex/contract'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { rowColumnsWithOwn, type ScreenTable } from './results.ts'

/** A record whose molecule could not be placed keeps its data. */
const NO_ATOMS = `
     pKdex

  0  0  0  0  0  0  0  0  0  0999 V2000
M  END
`

/** Pairs of rows without a molecule are left out: there is nothing a record could hold. */
export async function* writeSdf(
  { writeMolblocks }: Pick<ParsingWorkers, 'writeMolblocks'>,
  {
    userId,
    table,
    pages,
  }: { userId: string; table: ScreenTable; pages: AsyncIterable<ScreenRow[]> },
): AsyncGenerator<string> {
  const standardOf = ({ row }: ScreenRow) => table.rows[row - 1]?.standard ?? null
  for await (const page of pages) {
    const smiles = [...new Set(page.flatMap((row) => standardOf(row) ?? []))]
    const placed = await writeMolblocks(userId, smiles)
    const blocks = new Map(smiles.map((one, at) => [one, placed[at] ?? NO_ATOMS]))
    const records = page.map((row) => {
      const block = blocks.get(standardOf(row) ?? '')
      return block === undefined ? '' : writeRecord(row, block)
    })
    yield records.join('')
  }
}

function writeRecord(row: ScreenRow, block: string): string {
  const fields = rowColumnsWithOwn.map((column) => {
    const value = row[column]
    return value === null || value === '' ? '' : `>  <${column}>\n${toLine(String(value))}\n\n`
  })
  // The first line of a block is the name of the molecule.
  const named = block.slice(block.indexOf('\n'))
  return `${toLine(row.compound)}${named}${fields.join('')}$$$$\n`
}

/** One line that is neither the end of a record nor the head of a field. */
function toLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replace(/^(?=\$\$\$\$|>)/, ' ')
}
