/** One screen and its predictions, updated while it runs. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useEffect, useRef } from 'react'
import { withBlock } from './screen-matrix.ts'
import { gridQuery, isPlacing, screenQuery } from './screen-queries.ts'
import { followScreen, hasEnded } from './screen-stream.ts'

/** `onEnded` runs when a running screen ends, because its cost may have changed. */
export function useLiveScreen(id: string, onEnded: () => void) {
  const client = useQueryClient()
  const screen = useQuery(screenQuery(id))
  const grid = useQuery(gridQuery(id))
  const isRunning = screen.data !== undefined && !hasEnded(screen.data)
  // Blocks are added to the matrix, which must be loaded first.
  const isFollowing = isRunning && grid.data !== undefined

  const isPlaced = screen.data !== undefined && !isPlacing(screen.data)
  const wasPlacing = useRef(false)
  useEffect(() => {
    if (isPlaced && wasPlacing.current) {
      void readAgain(client, { queryKey: ['screen', id, 'results'] })
      void readAgain(client, { queryKey: ['screen', id, 'details'] })
    }
    wasPlacing.current = !isPlaced
  }, [client, id, isPlaced])

  useEffect(() => {
    if (!isFollowing) return
    const stopped = new AbortController()
    const screenKey = screenQuery(id).queryKey
    const gridKey = gridQuery(id).queryKey
    followScreen(
      id,
      {
        onScreen: (next) => client.setQueryData(screenKey, next),
        onBlock: (block) => client.setQueryData(gridKey, (old) => old && withBlock(old, block)),
        onGap: (next) => {
          const before = client.getQueryData(screenKey)
          client.setQueryData(screenKey, next)
          if (before?.done !== next.done) void readAgain(client, { queryKey: gridKey })
        },
      },
      stopped.signal,
    ).then(
      () => {
        if (stopped.signal.aborted) return
        void readAgain(client, { queryKey: ['screen', id, 'results'] })
        onEnded()
      },
      () => {
        if (!stopped.signal.aborted) void readAgain(client, { queryKey: screenKey })
      },
    )
    return () => stopped.abort()
  }, [client, id, isFollowing, onEnded])

  return { screen, grid, isRunning }
}
