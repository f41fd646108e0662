/** Paged lists: page, page size, total, and search. */
import { z } from 'zod'
import { NO_CONTROL_CHARACTERS } from './text.ts'

/** Header of a paged list: number of matching rows on all pages. */
export const TOTAL_COUNT_HEADER = 'X-Total-Count'

/** Pages count from 1. A list that can be returned whole has no default page. */
export const PageNumber = z.coerce.number().int().min(1)

export function pageSize(rows: number) {
  return z.coerce.number().int().min(1).max(200).default(rows)
}

/** A page of a log, 20 rows by default. */
export const LogPage = z.object({ page: PageNumber.default(1), page_size: pageSize(20) })

export const SEARCH_CHARACTERS_MAX = 320

/** Search text; emails and names contain no control characters. */
export const SearchText = z
  .string()
  .max(SEARCH_CHARACTERS_MAX)
  .regex(NO_CONTROL_CHARACTERS, 'must not contain control characters')
  .default('')
