/** The compounds of the general table in PKDEX_SHARED. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** SMILES as in the table, in its order. */
export function readSharedSmiles(shared: string): string[] {
  const table = gunzipSync(readFileSync(join(shared, 'data/general/drugs.tsv.gz'))).toString()
  const [head = '', ...lines] = table.trim().split('\n')
  const column = head.split('\t').indexOf('smiles')
  return lines.flatMap((line) => line.split('\t')[column] ?? [])
}
