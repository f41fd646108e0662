/** One screen and its numbers, which grow by themselves while it runs. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { withBlock } from './screen-matrix.ts'
import { gridQuery, screenQuery } from './screen-queries.ts'
import { followScreen, hasEnded } from './screen-stream.ts'

/** `onEnded` runs when a screen ends that was seen running: its price is another one by then. */
export function useLiveScreen(id: string, onEnded: () => void) {
  const client = useQueryClient()
  const screen = useQuery(screenQuery(id))
  const grid = useQuery(gridQuery(id))
  const isRunning = screen.data !== undefined && !hasEnded(screen.data)
  // Blocks are put into the matrix, which must be there first.
  const isFollowing = isRunning && grid.data !== undefined

  useEffect(() => {
    if (!isFollowing) return
    const stopped = new AbortController()
    const screenKey = screenQuery(id).queryKey
    const gridKey = gridQuery(id).queryKey
    const readAgain = () => void client.invalidateQueries({ queryKey: screenKey })
    followScreen(
      id,
      {
        onScreen: (next) => client.setQueryData(screenKey, next),
        onBlock: (block) => client.setQueryData(gridKey, (old) => old && withBlock(old, block)),
        onGap: (next) => {
          const before = client.getQueryData(screenKey)
          client.setQueryData(screenKey, next)
          if (before?.done !== next.done) void client.invalidateQueries({ queryKey: gridKey })
        },
      },
      stopped.signal,
    ).then(
      () => {
        if (stopped.signal.aborted) return
        void client.invalidateQueries({ queryKey: ['screen', id, 'results'] })
        onEnded()
      },
      () => stopped.signal.aborted || readAgain(),
    )
    return () => stopped.abort()
  }, [client, id, isFollowing, onEnded])

  return { screen, grid, isRunning }
}
