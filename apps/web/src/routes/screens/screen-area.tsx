/**
 * Around the pages of one screen. If another user shares the screen, they get a cache of their own, and their requests
 * name the screen, so that nothing of the viewer's library is mixed in.
 */
import type { Screen, SharedBy } from '@pkdex/contract'
import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, Outlet, useParams } from 'react-router'
import { useRefreshCredits } from '#web/features/credits/credits-counter.tsx'
import { useNewsOf } from '#web/features/credits/news.ts'
import { screenQuery } from '#web/features/screens/screen-queries.ts'
import { hasEnded } from '#web/features/screens/screen-stream.ts'
import { ApiError, viewedScreen } from '#web/lib/api.ts'
import { OwnClientContext, ViewingContext } from '#web/lib/viewing.tsx'
import { Note } from '#web/ui/note.tsx'

/** How often the page of a shared screen looks for new comments, and a viewer's whether it is still shared. */
const CHECK_INTERVAL_MS = 5000

export function ScreenArea() {
  const { id = '' } = useParams()
  const { data, error } = useQuery({
    ...screenQuery(id),
    refetchInterval: ({ state }) => (isWatched(state.data) ? CHECK_INTERVAL_MS : false),
  })
  useSeenEnd(id, data)
  useNewComments(data)
  const shared = data?.shared_by
  if (data === undefined || !shared) return <Outlet />
  if (error instanceof ApiError && error.status === 404) return <NoLongerShared {...shared} />
  return <Viewed key={id} screen={data} shared={shared} />
}

/** The event stream tells the owner of comments while the screen runs. */
function isWatched(screen: Screen | undefined): boolean {
  if (screen === undefined) return false
  return screen.shared_by !== null || (screen.is_shared === true && hasEnded(screen))
}

/** Whoever looks at a finished screen has seen that it finished. */
function useSeenEnd(id: string, screen: Screen | undefined) {
  const { news, see } = useNewsOf(id)
  const isUnseen = news?.has_finished === true && screen !== undefined && hasEnded(screen)
  useEffect(() => {
    if (isUnseen) see(null)
  }, [isUnseen, see])
}

/** The count in the header follows a comment at once. */
function useNewComments(screen: Screen | undefined) {
  const refresh = useRefreshCredits()
  const count = screen?.comments
  const before = useRef(count)
  useEffect(() => {
    if (before.current !== undefined && before.current !== count) refresh()
    before.current = count
  }, [count, refresh])
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

function Viewed({ screen, shared }: { screen: Screen; shared: SharedBy }) {
  const { id } = screen
  const outer = useQueryClient()
  const [client] = useState(() => new QueryClient({ defaultOptions: outer.getDefaultOptions() }))
  const isReady = viewedScreen.useValue() === id
  useEffect(() => {
    viewedScreen.set(id)
    return () => viewedScreen.set(null)
  }, [id])
  // While the screen runs, its event stream is ahead.
  useEffect(() => {
    if (hasEnded(screen)) client.setQueryData(screenQuery(id).queryKey, screen)
  }, [client, id, screen])
  if (!isReady) return null
  return (
    <ViewingContext value={shared}>
      <OwnClientContext value={outer}>
        <QueryClientProvider client={client}>
          <Outlet />
        </QueryClientProvider>
      </OwnClientContext>
    </ViewingContext>
  )
}
