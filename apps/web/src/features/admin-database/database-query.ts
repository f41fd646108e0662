/** Queries for the database statistics and the list of collections. */
import { listCollections, readDatabaseStats } from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { callAdmin } from '#web/lib/admin-api.ts'

export type DatabaseStats = z.infer<typeof readDatabaseStats.answer>

export function statsQuery() {
  return queryOptions({
    queryKey: ['admin', 'database', 'stats'],
    queryFn: ({ signal }) => callAdmin(readDatabaseStats, { signal }),
  })
}

export function collectionsQuery() {
  return queryOptions({
    queryKey: ['admin', 'database', 'collections'],
    queryFn: ({ signal }) => callAdmin(listCollections, { signal }),
  })
}
