/**
 * Around the pages of one screen. If another user shares the screen, they get a cache of their own, and their requests
 * name the screen, so that nothing of the viewer's library is mixed in.
 */
import type { SharedBy } from '@pkdex/contract'
import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, Outlet, useParams } from 'react-router'
import { screenQuery } from '#web/features/screens/screen-queries.ts'
import { ApiError, viewedScreen } from '#web/lib/api.ts'
import { ViewingContext } from '#web/lib/viewing.tsx'
import { Note } from '#web/ui/note.tsx'

/** How often a viewer's page checks that the screen is still shared. */
const CHECK_INTERVAL_MS = 5000

export function ScreenArea() {
  const { id = '' } = useParams()
  const { data, error } = useQuery({
    ...screenQuery(id),
    refetchInterval: ({ state }) => (state.data?.shared_by ? CHECK_INTERVAL_MS : false),
  })
  const shared = data?.shared_by ?? null
  if (shared === null) return <Outlet />
  if (error instanceof ApiError && error.status === 404) return <NoLongerShared {...shared} />
  return <Viewed key={id} id={id} shared={shared} />
}

function NoLongerShared({ owner }: SharedBy) {
  return (
    <div className="page low">
      <Note tone="info" title="No longer shared" action={<Link to="/screens">Screens</Link>}>
        {`${owner} ended the share of this screen, or deleted it.`}
      </Note>
    </div>
  )
}

function Viewed({ id, shared }: { id: string; shared: SharedBy }) {
  const outer = useQueryClient()
  const [client] = useState(() => new QueryClient({ defaultOptions: outer.getDefaultOptions() }))
  const isReady = viewedScreen.useValue() === id
  useEffect(() => {
    viewedScreen.set(id)
    return () => viewedScreen.set(null)
  }, [id])
  if (!isReady) return null
  return (
    <ViewingContext value={shared}>
      <QueryClientProvider client={client}>
        <Outlet />
      </QueryClientProvider>
    </ViewingContext>
  )
}
