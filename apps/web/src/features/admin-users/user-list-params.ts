/** Search, sorting and page of the user list, as they stand in the URL. What is left out is the default. */
import { SearchText, UserSort } from '@pkdex/contract'
import { z } from 'zod'

const Params = z.object({
  page: z.coerce.number().int().min(1).catch(1),
  search: SearchText.catch(''),
  sort: UserSort.catch('email'),
  order: z.enum(['asc', 'desc']).catch('asc'),
})
export type UserListParams = z.infer<typeof Params>

const defaults: UserListParams = Params.parse({})

export function readUserListParams(search: URLSearchParams): UserListParams {
  return Params.parse(Object.fromEntries(search))
}

/** Any change but of the page leads back to page 1. */
export function withChange(params: UserListParams, change: Partial<UserListParams>): string {
  const next = { ...params, page: 1, ...change }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(next)) {
    if (value !== defaults[name as keyof UserListParams]) search.set(name, String(value))
  }
  return search.size > 0 ? `?${search}` : '?'
}
