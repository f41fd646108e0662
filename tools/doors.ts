/** The doors through which files come in, as functions from bytes to what was read. */
import { openRdkit, readMolblock, standardise } from '@pkdex/biochem'
import { refuseColumns } from '@pkdex/intake'
// oxlint-disable-next-line no-restricted-imports -- a door of the server
import { readCompounds } from '../apps/server/src/command-line/read-compounds.ts'
// oxlint-disable-next-line no-restricted-imports -- a door of the server
import { splitCompounds } from '../apps/server/src/files/parsing/parsing-tasks.ts'
import { toLines } from '../apps/web/src/features/files/compound-table.ts'
import { readFile } from '../apps/web/src/features/files/table-source.ts'

export const rdkit = await openRdkit()

export type Fixture = { bytes: Uint8Array; name: string }
type Molecule = { name: string; smiles: string; block?: string | undefined }

/** The name of a compound, and its standard SMILES or why it has none. */
export function standard(molecule: Molecule): [string, string | null, string | null] {
  const { name, smiles: written, block } = molecule
  const smiles = block === undefined ? written : (readMolblock(rdkit, block) ?? '')
  const read = standardise(rdkit, smiles)
  return read.ok ? [name, read.standardSmiles, null] : [name, null, read.reason]
}

export function splitOnServer(bytes: Uint8Array) {
  const read = splitCompounds({ input: { bytes, fileStem: 'stem' }, steps: new Int32Array(1) })
  if (!read.ok) throw new Error(read.reason)
  return read.value
}

export const openOnPage = ({ bytes, name }: Fixture, sheet?: number) =>
  readFile(new File([Uint8Array.from(bytes)], name), () => undefined, sheet)

/** What the upload page sends to the API. */
export async function textOfPage(fixture: Fixture): Promise<string> {
  const { table, columns, text, problem } = await openOnPage(fixture)
  if (problem !== null) throw new Error(problem)
  if (table === null) return text
  if (columns.smiles === null) throw new Error(refuseColumns(table))
  return toLines(table, columns).text
}

export function onCommandLine({ bytes, name }: Fixture) {
  return readCompounds(bytes, { filename: name, choice: {} })
}
