/** Which rows of the input are wanted, by what their compound is: words, size, a substructure. */
import type { ScreenFilter } from '@pkdex/contract'
import { scanSmiles } from '@pkdex/biochem'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { InputRow } from './plan.ts'

/** One a row. */
export type FindWantedRows = (
  screen: { userId: string; id: string },
  rows: InputRow[],
  filter: ScreenFilter,
) => Promise<boolean[]>

/** Searches whose answers are kept: each page of one search asks again. */
const KEPT_SEARCHES = 20
/** Rows whose size is counted in one go, so that others are served in between. */
const ROWS_AT_ONCE = 500

export function openWantedRows(
  parsingWorkers: Pick<ParsingWorkers, 'matchSubstructure'>,
): FindWantedRows {
  const searches = new Map<string, Promise<boolean[]>>()

  /** The rows of a screen never change, so neither does what is found in them. */
  function search(
    { userId, id }: { userId: string; id: string },
    rows: InputRow[],
    smarts: string,
  ) {
    const key = `${id} ${smarts}`
    const found = searches.get(key) ?? matchRows(parsingWorkers, { userId, rows, smarts })
    // The one that was asked for last stays longest.
    searches.delete(key)
    searches.set(key, found)
    for (const oldest of [...searches.keys()].slice(0, -KEPT_SEARCHES)) searches.delete(oldest)
    found.catch(() => searches.delete(key))
    return found
  }

  return async (screen, rows, filter) => {
    const { heavy_atoms_min: least = 0, heavy_atoms_max: most = Infinity } = filter
    const smarts = filter.smarts.trim()
    const text = filter.text.normalize('NFC').toLowerCase()
    const wanted = rows.map(
      ({ name, smiles }) =>
        name.toLowerCase().includes(text) || smiles.toLowerCase().includes(text),
    )
    if (filter.heavy_atoms_min !== undefined || filter.heavy_atoms_max !== undefined) {
      const sizes = await countHeavyAtoms(rows)
      for (const [at, size] of sizes.entries()) {
        wanted[at] = wanted[at] === true && size !== null && size >= least && size <= most
      }
    }
    if (smarts === '') return wanted
    const isFound = await search(screen, rows, smarts)
    return wanted.map((is, at) => is && isFound[at] === true)
  }
}

/** Null for a row without a molecule. */
async function countHeavyAtoms(rows: InputRow[]): Promise<(number | null)[]> {
  const sizes: (number | null)[] = []
  for (const [at, { standard }] of rows.entries()) {
    const scan = standard === null ? null : scanSmiles(standard)
    sizes.push(scan?.ok === true ? scan.heavyAtoms : null)
    if (at % ROWS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return sizes
}

async function matchRows(
  parsingWorkers: Pick<ParsingWorkers, 'matchSubstructure'>,
  { userId, rows, smarts }: { userId: string; rows: InputRow[]; smarts: string },
): Promise<boolean[]> {
  const smiles = [...new Set(rows.flatMap(({ standard }) => standard ?? []))]
  const matched = await parsingWorkers.matchSubstructure(userId, { smarts, smiles })
  if (!matched.ok) throw new AppError('invalid_request', matched.reason)
  const holders = new Set(smiles.filter((_, at) => matched.value[at] === true))
  return rows.map(({ standard }) => standard !== null && holders.has(standard))
}
