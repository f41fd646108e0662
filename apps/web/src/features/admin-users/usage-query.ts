/** Queries for usage. */
import { listUserUsage, readUsageByDay } from '@pkdex/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callAdmin } from '#web/lib/admin-api.ts'

/** Usage of all users, or of one. */
export function usageByDayQuery(days: number, userId: string | null) {
  return queryOptions({
    queryKey: ['admin', 'usage', days, userId],
    queryFn: ({ signal }) => {
      const query = { days, ...(userId !== null && { user_id: userId }) }
      return callAdmin(readUsageByDay, { query, signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** Usage of the users on one page of the list. */
export function userUsageQuery(userIds: string[]) {
  return queryOptions({
    queryKey: ['admin', 'usage', 'users', userIds],
    queryFn: async ({ signal }) => {
      const query = { user_ids: userIds.join(',') }
      const { users } = await callAdmin(listUserUsage, { query, signal })
      return new Map(users.map((user) => [user._id, user]))
    },
    enabled: userIds.length > 0,
  })
}
