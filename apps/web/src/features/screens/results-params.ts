/** How the rows of a screen are sorted and filtered, as stored in the URL. Omitted values are the defaults: strongest first. */
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

/** `mass_min` and so on: both ends belong to the range. */
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
  /** Structure-adjusted values in the columns of targets and in the heat map. */
  values: z.literal('adjusted').optional().catch(undefined),
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

/** The URL after a change; its other parameters are kept. */
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

/** What concerns the look of the table and passes every row. */
const LOOKS = ['sort', 'order', 'by', 'column', 'values'] as const

export type ResultsFilter = Omit<ResultsParams, (typeof LOOKS)[number]>

/** Null where every row passes. */
export function filterOf(params: ResultsParams): ResultsFilter | null {
  const { sort: _, order: __, by: ___, column: ____, values: _____, ...filter } = params
  return Object.values(filter).some((value) => value !== undefined && value !== '') ? filter : null
}

/** A change that lets every row pass. */
export const noFilter = Object.fromEntries(
  NAMES.filter((name) => !LOOKS.some((look) => look === name)).map((name) => [name, undefined]),
)

/** The order that a reader expects of a column that is sorted by first. */
export function usualOrder(sort: ScreenSort): 'asc' | 'desc' {
  return sort === 'interval' || sort === 'input' ? 'asc' : 'desc'
}
