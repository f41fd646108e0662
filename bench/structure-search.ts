/**
 * Processor time of a search by structure over 50,000 compounds of the table in PKDEX_SHARED, in portions as the product
 * gives them to a thread.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openRdkit, searchStructure, type StructureSearch } from '@pkdex/biochem'
import type { Figure } from './figure.ts'

const COMPOUNDS = 50_000
const PORTION = 100
const QUINAZOLINE = 'c1ccc2ncncc2c1'
const GEFITINIB = 'COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1OCCCN1CCOCC1'
/** The product refuses a search that takes longer. */
const LIMIT_S = 60

export async function measureStructureSearch(): Promise<Figure[]> {
  const { PKDEX_SHARED: shared } = process.env
  if (shared === undefined) {
    console.error('Searches are not measured: PKDEX_SHARED names no folder of compounds.')
    return []
  }
  const smiles = readCompounds(join(shared, 'data/general/drugs.tsv.gz'))
  const rdkit = await openRdkit()
  const measure = (search: Omit<StructureSearch, 'smiles'>): Figure => {
    const from = process.cpuUsage()
    for (let at = 0; at < COMPOUNDS; at += PORTION) {
      const some = smiles.slice(at, at + PORTION)
      const found = searchStructure(rdkit, { ...search, smiles: some }, () => undefined)
      if (!found.ok || found.value.length !== PORTION) throw new Error('the search failed')
    }
    const { user, system } = process.cpuUsage(from)
    const name = `search 50,000 compounds by ${search.kind}, processor time`
    const against = { name: 'limit', value: LIMIT_S }
    return { name, measured: (user + system) / 1e6, unit: 's', against }
  }
  return [
    measure({ kind: 'similarity', query: GEFITINIB }),
    measure({ kind: 'substructure', query: QUINAZOLINE }),
  ]
}

function readCompounds(path: string): string[] {
  const [head = '', ...lines] = gunzipSync(readFileSync(path)).toString().trim().split('\n')
  const column = head.split('\t').indexOf('smiles')
  return lines.flatMap((line) => line.split('\t')[column] ?? []).slice(0, COMPOUNDS)
}
