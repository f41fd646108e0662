/** Queries for users, their URL parameters, and invalidation after a change. */
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
import { readAgain } from '#web/lib/read-again.ts'
import { useCallback } from 'react'
import { z } from 'zod'
import { callAdmin, callAdminPage } from '#web/lib/admin-api.ts'

export type UserPage = { users: AdminUser[]; total: number }

/** One page, sorted and searched by the server; the previous page stays until it is loaded. */
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

/** Ids of all users that match search and status, on every page. */
export async function readMatchingIds({ search, status }: UserListParams): Promise<string[]> {
  const query = { search, sort: 'email', order: 'asc', page_size: USERS_PAGE_SIZE, status } as const
  return (await callAdmin(listUsers, { query })).map(({ _id }) => _id)
}

export function userQuery(userId: string) {
  return queryOptions({
    queryKey: ['admin', 'user', userId],
    queryFn: ({ signal }) => callAdmin(readUser, { params: { userId }, signal }),
    // Balances change while people work; a form must not start from an old one.
    staleTime: 0,
  })
}

/** Selectable page sizes. */
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

/** Search, sorting and page of the user list in the URL. Defaults are omitted. */
export function readUserListParams(search: URLSearchParams): UserListParams {
  return Params.parse(Object.fromEntries(search))
}

/** Any change except of the page number returns to page 1. */
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

/** Invalidates parts of the cached data about the database. */
export function useRefreshAdmin(): (...parts: AdminPart[]) => void {
  const client = useQueryClient()
  return useCallback(
    (...parts) => {
      for (const part of parts) void readAgain(client, { queryKey: ['admin', part] })
    },
    [client],
  )
}
