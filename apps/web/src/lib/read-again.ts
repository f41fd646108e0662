/** Reloads queries that a change has made stale. */
import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Reloads every matching query. A first load in progress may have been answered before the
 * change was made, and `invalidateQueries` would keep its response, so it is cancelled and restarted.
 */
export async function readAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  await client.cancelQueries({ ...filters, predicate: ({ state }) => state.data === undefined })
  await client.invalidateQueries(filters)
}
