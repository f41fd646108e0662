/** How the rows of a screen are sorted and filtered, as it stands in the address. What is left out is the default: the strongest first. */
import { HeavyAtomCount, ScreenSort, SearchText, Smarts } from '@pkdex/contract'
import { z } from 'zod'

const Bound = z.coerce.number().min(-100).max(100).optional().catch(undefined)

const Params = z.object({
  sort: ScreenSort.catch('affinity'),
  order: z.enum(['asc', 'desc']).optional().catch(undefined),
  min: Bound,
  max: Bound,
  in_domain: z.enum(['true', 'false']).optional().catch(undefined),
  target: SearchText.unwrap().optional().catch(undefined),
  text: SearchText.unwrap().optional().catch(undefined),
  smarts: Smarts.optional().catch(undefined),
  heavy_atoms_min: HeavyAtomCount.optional().catch(undefined),
  heavy_atoms_max: HeavyAtomCount.optional().catch(undefined),
})
export type ResultsParams = z.infer<typeof Params>

const NAMES = Object.keys(Params.shape) as (keyof ResultsParams)[]

export function readResultsParams(search: URLSearchParams): ResultsParams {
  const given = NAMES.flatMap((name) => {
    const value = search.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  return Params.parse(Object.fromEntries(given))
}

/** The address after a change; whatever else stands in it stays. */
export function withResultsParams(
  search: URLSearchParams,
  change: Partial<Record<keyof ResultsParams, string | number | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, `${value}`)
  }
  return next
}

export function isFiltered(params: ResultsParams): boolean {
  return NAMES.some((name) => {
    const isFilter = name !== 'sort' && name !== 'order'
    return isFilter && params[name] !== undefined && params[name] !== ''
  })
}

export type ResultsFilter = Omit<ResultsParams, 'sort' | 'order'>

/** Null where every row passes. */
export function filterOf(params: ResultsParams): ResultsFilter | null {
  const { sort: _, order: __, ...filter } = params
  return isFiltered(params) ? filter : null
}

/** The order that a reader expects of a column that is sorted by first. */
export function usualOrder(sort: ScreenSort): 'asc' | 'desc' {
  return sort === 'interval' || sort === 'input' ? 'asc' : 'desc'
}
