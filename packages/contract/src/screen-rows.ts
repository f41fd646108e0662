/** Sorting and filters of the rows of a screen; `columns.ts` has their fields. */
import { z } from 'zod'
import { DomainState } from './predictions.ts'
import { PageNumber, SearchText } from './paging.ts'
import { ProfileText } from './profile.ts'
import { type FilterName, rowProperties, type RowProperty, ScreenSort } from './result-rows.ts'
import { NO_CONTROL_CHARACTERS } from './text.ts'

type Estimate = { predicted: number; lower: number; upper: number }

/**
 * Error of the difference of two predictions: from the facing ends of both intervals, assuming independent errors. A
 * smaller difference is within error.
 */
export function errorOfDifference(one: Estimate, other: Estimate): number {
  const [stronger, weaker] = one.predicted < other.predicted ? [other, one] : [one, other]
  return Math.hypot(stronger.predicted - stronger.lower, weaker.upper - weaker.predicted)
}

const pK = z.coerce.number().min(-100).max(100).optional()

const PropertyBound = z.coerce.number().min(-100_000).max(100_000).optional()
type PropertyBounds = Record<`${RowProperty}_${'min' | 'max'}`, typeof PropertyBound>

/** `mass_min`, `mass_max` and so on: both ends are inclusive. */
const propertyBounds = Object.fromEntries(
  rowProperties.flatMap((name) => [
    [`${name}_min`, PropertyBound],
    [`${name}_max`, PropertyBound],
  ]),
) as PropertyBounds

export const Smarts = z
  .string()
  .max(500)
  .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')

const filters = {
  /** Of the best estimate. */
  min: pK,
  max: pK,
  in_domain: z.enum(['true', 'false']).optional(),
  /** Pairs predicted before there were three states count as `known_on_target` if they were inside. */
  domain_state: DomainState.optional(),
  /** Name of a target. */
  target: SearchText,
  /** In the name of the compound; or a SMILES of three or more heavy atoms that the compound contains. */
  text: SearchText,
  /** A substructure of the predicted molecule: without salts, neutralised. */
  smarts: Smarts.default(''),
  ...propertyBounds,
  /** `none`: only compounds without a structural alert; `some`: only those with one. */
  alerts: z.enum(['none', 'some']).optional(),
  /** Hides no row: scores them. For example `pkd:7..;mass:..500~50`. */
  profile: ProfileText.default(''),
  /** Only compounds on your shortlist. */
  starred: z.literal('true').optional(),
} satisfies Record<FilterName, z.ZodType>

export const ScreenFilter = z.object(filters)
export type ScreenFilter = z.output<typeof ScreenFilter>

/** Rows without a prediction come last, except in input order. */
export const ScreenResultsQuery = ScreenFilter.extend({
  page: PageNumber.default(1),
  page_size: z.coerce.number().int().min(1).max(1000).default(100),
  sort: ScreenSort.default('input'),
  /** Default: ascending for input and interval, descending for the others. */
  order: z.enum(['asc', 'desc']).optional(),
  /**
   * `compound`: each compound with at least one matching pair, with all its pairs. A page then contains as many whole
   * compounds as fit into `page_size`, at least one, and X-Total-Count counts compounds.
   */
  by: z.enum(['pair', 'compound']).default('pair'),
  /** With `by=compound`: position of the target to sort by, from 1. Without it, the first pair counts. */
  column: z.coerce.number().int().min(1).optional(),
})
export type ScreenResultsQuery = z.output<typeof ScreenResultsQuery>
