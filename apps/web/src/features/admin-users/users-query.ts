/** One page of the users, sorted and searched by the server; the page before stays until it is there. */
import { type AdminUser, listUsers, readUser, USERS_PAGE_SIZE } from '@pkdex/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callAdmin, callAdminPage } from '#web/lib/admin-session.ts'
import type { UserListParams } from './user-list-params.ts'

export type UserPage = { users: AdminUser[]; total: number }

export function usersQuery(params: UserListParams) {
  return queryOptions({
    queryKey: ['admin', 'users', params],
    queryFn: async ({ signal }): Promise<UserPage> => {
      const query = { ...params, page_size: USERS_PAGE_SIZE }
      const { answer, total } = await callAdminPage(listUsers, { query, signal })
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
