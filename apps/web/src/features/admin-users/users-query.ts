/** What is asked of the server about users, how the URL words it, and how it is read again after a change. */
import {
  type AdminUser,
  listUsers,
  readUser,
  SearchText,
  USERS_PAGE_SIZE,
  UserSort,
  UserStatus,
} from '@pkdex/contract'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { z } from 'zod'
import { callAdmin, callAdminPage } from '#web/lib/admin-api.ts'

export type UserPage = { users: AdminUser[]; total: number }

/** One page, sorted and searched by the server; the page before stays until it is there. */
export function usersQuery(params: UserListParams) {
  return queryOptions({
    queryKey: ['admin', 'users', params],
    queryFn: async ({ signal }): Promise<UserPage> => {
      const { answer, total } = await callAdminPage(listUsers, { query: params, signal })
      return { users: answer, total: total ?? answer.length }
    },
    placeholderData: keepPreviousData,
  })
}

export function userQuery(userId: string) {
  return queryOptions({
    queryKey: ['admin', 'user', userId],
    queryFn: ({ signal }) => callAdmin(readUser, { params: { userId }, signal }),
    // Balances change while people work; a form must not begin with an old one.
    staleTime: 0,
  })
}

/** Rows of a page that one can choose from. */
export const PAGE_SIZES = [USERS_PAGE_SIZE, 50, 200] as const

const Params = z.object({
  page: z.coerce.number().int().min(1).catch(1),
  search: SearchText.catch(''),
  sort: UserSort.catch('email'),
  order: z.enum(['asc', 'desc']).catch('asc'),
  page_size: z.coerce.number().pipe(z.literal(PAGE_SIZES)).catch(USERS_PAGE_SIZE),
  status: UserStatus.optional().catch(undefined),
})
export type UserListParams = z.infer<typeof Params>

const defaults: UserListParams = Params.parse({})

/** Search, sorting and page of the user list, as they stand in the URL. What is left out is the default. */
export function readUserListParams(search: URLSearchParams): UserListParams {
  return Params.parse(Object.fromEntries(search))
}

/** Any change but of the page leads back to page 1. */
export function withChange(params: UserListParams, change: Partial<UserListParams>): string {
  const next = { ...params, page: 1, ...change }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(next)) {
    const isDefault = value === defaults[name as keyof UserListParams]
    if (value !== undefined && !isDefault) search.set(name, String(value))
  }
  return search.size > 0 ? `?${search}` : '?'
}

/** The second part of every query key of the admin area; the first is `admin`. */
type AdminPart = 'users' | 'user' | 'database' | 'audit'

/** Has some parts of what is known about the database read again. */
export function useRefreshAdmin(): (...parts: AdminPart[]) => void {
  const client = useQueryClient()
  return useCallback(
    (...parts) => {
      for (const part of parts) void client.invalidateQueries({ queryKey: ['admin', part] })
    },
    [client],
  )
}
