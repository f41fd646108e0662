/**
 * Processor time of a search by structure over 50,000 compounds of the table in PKDEX_SHARED, in portions as the product
 * gives them to a thread.
 */
import { openRdkit, searchStructure, type StructureSearch } from '@pkdex/biochem'
import { type Figure, limited } from './figure.ts'
import { readSharedSmiles } from './shared-compounds.ts'

const COMPOUNDS = 50_000
const PORTION = 100
const QUINAZOLINE = 'c1ccc2ncncc2c1'
const GEFITINIB = 'COc1cc2ncnc(Nc3ccc(F)c(Cl)c3)c2cc1OCCCN1CCOCC1'
/** The product refuses a search that takes longer. */
const LIMIT_S = 60

export async function measureStructureSearch(shared: string): Promise<Figure[]> {
  const smiles = readSharedSmiles(shared).slice(0, COMPOUNDS)
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
    return limited(name, (user + system) / 1e6, 's', LIMIT_S)
  }
  return [
    measure({ kind: 'similarity', query: GEFITINIB }),
    measure({ kind: 'substructure', query: QUINAZOLINE }),
  ]
}
