/** Sorting and filters of a screen's rows in the URL. Missing parameters mean the defaults: strongest first. */
import {
  DomainState,
  ProfileText,
  rowProperties,
  type RowProperty,
  ScreenSort,
  SearchText,
  Smarts,
} from '@pkdex/contract'
import { z } from 'zod'

const Bound = z.coerce.number().min(-100).max(100).optional().catch(undefined)

/** `mass_min` and so on; both ends are included. */
type PropertyBound = `${RowProperty}_${'min' | 'max'}`
const PropertyValue = z.coerce.number().min(-100_000).max(100_000).optional().catch(undefined)
const propertyBounds = Object.fromEntries(
  rowProperties.flatMap((name) => [
    [`${name}_min`, PropertyValue],
    [`${name}_max`, PropertyValue],
  ]),
) as Record<PropertyBound, typeof PropertyValue>

const Params = z.object({
  sort: ScreenSort.catch('affinity'),
  order: z.enum(['asc', 'desc']).optional().catch(undefined),
  by: z.enum(['pair', 'compound']).optional().catch(undefined),
  column: z.coerce.number().int().min(1).optional().catch(undefined),
  min: Bound,
  max: Bound,
  in_domain: z.enum(['true', 'false']).optional().catch(undefined),
  domain_state: DomainState.optional().catch(undefined),
  target: SearchText.unwrap().optional().catch(undefined),
  text: SearchText.unwrap().optional().catch(undefined),
  smarts: Smarts.optional().catch(undefined),
  ...propertyBounds,
  alerts: z.enum(['none', 'some']).optional().catch(undefined),
  profile: ProfileText.optional().catch(undefined),
  starred: z.literal('true').optional().catch(undefined),
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

/** The URL after a change; other parameters are kept. */
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

/** Parameters of the table that filter no rows. */
const LOOKS = ['sort', 'order', 'by', 'column'] as const

export type ResultsFilter = Omit<ResultsParams, (typeof LOOKS)[number]>

/** Null if no filter is set. */
export function filterOf(params: ResultsParams): ResultsFilter | null {
  const { sort: _, order: __, by: ___, column: ____, ...filter } = params
  return Object.values(filter).some((value) => value !== undefined && value !== '') ? filter : null
}

/** A change that clears all filters. */
export const noFilter = Object.fromEntries(
  NAMES.filter((name) => !LOOKS.some((look) => look === name)).map((name) => [name, undefined]),
)

/** The order when a column is sorted for the first time. */
export function usualOrder(sort: ScreenSort): 'asc' | 'desc' {
  return sort === 'interval' || sort === 'input' ? 'asc' : 'desc'
}
