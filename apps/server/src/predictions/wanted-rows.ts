/** Finds the input rows whose compound passes a filter: text, size or substructure. */
import type { ScreenFilter } from '@pkdex/contract'
import { scanSmiles } from '@pkdex/biochem'
import { LRUCache } from 'lru-cache'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { InputRow } from './plan.ts'

/** One entry per row. */
export type FindWantedRows = (
  /** `gone` aborts counting when the client disconnects; a shared search continues. */
  screen: { userId: string; id: string; gone: AbortSignal },
  rows: InputRow[],
  filter: ScreenFilter,
) => Promise<boolean[]>

type Dependencies = {
  parsingWorkers: Pick<ParsingWorkers, 'matchSubstructure'>
  readStarredNames: (userId: string) => Promise<string[]>
}

/** Number of cached searches: every page of a search repeats it. */
const KEPT_SEARCHES = 20
/** Rows whose atoms are counted at once, so that others are served in between. */
const ROWS_AT_ONCE = 500

export function openWantedRows({ parsingWorkers, readStarredNames }: Dependencies): FindWantedRows {
  const searches = new LRUCache<string, Promise<boolean[]>>({ max: KEPT_SEARCHES })

  /** Cached without expiry: the rows of a screen never change, so neither do the matches. */
  function search(
    { userId, id }: { userId: string; id: string },
    rows: InputRow[],
    smarts: string,
  ) {
    const key = `${id} ${smarts}`
    const found = searches.get(key) ?? matchRows(parsingWorkers, { userId, rows, smarts })
    searches.set(key, found)
    found.catch(() => searches.delete(key))
    return found
  }

  return async (screen, rows, filter) => {
    const smarts = filter.smarts.trim()
    const text = filter.text.normalize('NFC').toLowerCase()
    const wanted = rows.map(
      ({ name, smiles }) =>
        name.toLowerCase().includes(text) || smiles.toLowerCase().includes(text),
    )
    await narrowBySize(wanted, rows, { ...filter, gone: screen.gone })
    if (filter.starred !== undefined) {
      const starred = new Set(await readStarredNames(screen.userId))
      for (const [at, { name }] of rows.entries()) wanted[at] &&= starred.has(name)
    }
    if (smarts === '') return wanted
    const isFound = await search(screen, rows, smarts)
    return wanted.map((is, at) => is && isFound[at] === true)
  }
}

async function narrowBySize(
  wanted: boolean[],
  rows: InputRow[],
  { heavy_atoms_min: least, heavy_atoms_max: most, gone }: ScreenFilter & { gone: AbortSignal },
): Promise<void> {
  if (least === undefined && most === undefined) return
  const sizes = await countHeavyAtoms(rows, gone)
  for (const [at, size] of sizes.entries()) {
    wanted[at] &&= size !== null && size >= (least ?? 0) && size <= (most ?? Infinity)
  }
}

/** Null for a row without a molecule. */
async function countHeavyAtoms(rows: InputRow[], gone: AbortSignal): Promise<(number | null)[]> {
  const sizes: (number | null)[] = []
  for (const [at, { standard }] of rows.entries()) {
    const scan = standard === null ? null : scanSmiles(standard)
    sizes.push(scan?.ok === true ? scan.heavyAtoms : null)
    if (at % ROWS_AT_ONCE !== 0) continue
    await new Promise((resolve) => setImmediate(resolve))
    gone.throwIfAborted()
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
