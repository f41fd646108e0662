/** Lists that are answered page by page: which page, how many rows there are in all, what is searched for. */
import { z } from 'zod'

/** Header of a paged list: how many rows match, on all pages. */
export const TOTAL_COUNT_HEADER = 'X-Total-Count'

/** Pages count from 1. A list that can be asked for whole has no default page. */
export const PageNumber = z.coerce.number().int().min(1)

export function pageSize(rows: number) {
  return z.coerce.number().int().min(1).max(200).default(rows)
}

/** A page of a log, 20 rows where nothing else is asked for. */
export const LogPage = z.object({ page: PageNumber.default(1), page_size: pageSize(20) })

/** What is searched for; a control character is in no e-mail and no name. */
export const SearchText = z
  .string()
  .max(320)
  .regex(/^\P{Cc}*$/u, 'it holds a character that cannot be searched for')
  .default('')
