/** Sorting and filters of a screen's rows in the URL. Missing parameters mean the defaults: strongest first. */
import { ScreenFilter, ScreenSort } from '@pkdex/contract'
import { z } from 'zod'

/** A parameter that cannot be read counts as missing. */
const lenient = <Type extends z.ZodType>(type: Type) => type.optional().catch(undefined)

const Looks = z.object({
  sort: ScreenSort.catch('affinity'),
  order: lenient(z.enum(['asc', 'desc'])),
  by: lenient(z.enum(['pair', 'compound'])),
  column: lenient(z.coerce.number().int().min(1)),
})

const Params = Looks.extend(
  Object.fromEntries(
    Object.entries(ScreenFilter.shape).map(([name, type]) => [
      name,
      lenient(type instanceof z.ZodDefault ? type.unwrap() : type),
    ]),
  ),
)
export type ResultsFilter = { [Name in keyof ScreenFilter]?: ScreenFilter[Name] | undefined }
export type ResultsParams = z.infer<typeof Looks> & ResultsFilter

const NAMES = Object.keys(Params.shape) as (keyof ResultsParams)[]

export function readResultsParams(search: URLSearchParams): ResultsParams {
  const given = NAMES.flatMap((name) => {
    const value = search.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  return Params.parse(Object.fromEntries(given)) as ResultsParams
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

/** Null if no filter is set. */
export function filterOf(params: ResultsParams): ResultsFilter | null {
  const { sort: _, order: __, by: ___, column: ____, ...filter } = params
  return Object.values(filter).some((value) => value !== undefined && value !== '') ? filter : null
}

/** A change that clears all filters. */
export const noFilter = Object.fromEntries(
  Object.keys(ScreenFilter.shape).map((name) => [name, undefined]),
)
