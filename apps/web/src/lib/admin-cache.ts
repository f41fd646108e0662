/** The parts of what is known about the database, and the one way to have some of them read again. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** The second part of every query key of the admin area; the first is `admin`. */
export type AdminPart = 'users' | 'user' | 'database' | 'audit'

export function useRefreshAdmin(): (...parts: AdminPart[]) => void {
  const client = useQueryClient()
  return useCallback(
    (...parts) => {
      for (const part of parts) void client.invalidateQueries({ queryKey: ['admin', part] })
    },
    [client],
  )
}
