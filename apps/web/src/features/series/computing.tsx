/** The progress of a series request, with a button that cancels it. */
import { Flex } from '#web/ui/layout.ts'
import { readSeriesProgress } from '@pkdex/contract'
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import classes from './computing.module.css'

const POLL_INTERVAL_MS = 500

type Props = {
  /** Key of the query; cancelling it closes the connection, which stops the server. */
  queryKey: QueryKey
  /** What is computed, continuing "Computing". */
  what: string
}

function Computing({ queryKey, what }: Props) {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['series', 'progress'],
    queryFn: ({ signal }) => call(readSeriesProgress, { signal }),
    refetchInterval: POLL_INTERVAL_MS,
    retry: false,
    gcTime: 0,
  })
  const running = data?.running
  const share = running ? running.done / Math.max(running.total, 1) : null
  return (
    <Flex className={classes.computing} wrap="wrap" gap="sm" align="center" mb="md">
      <output>
        {`Computing ${what} …${share === null ? '' : ` ${Math.floor(100 * share)}%`}`}
      </output>
      <progress
        aria-label={`Progress of ${what}`}
        max={1}
        {...(share !== null && { value: share })}
      />
      <Button variant="default" onClick={() => void client.cancelQueries({ queryKey })}>
        Cancel
      </Button>
    </Flex>
  )
}

type ComputationProps = Props & {
  query: {
    data: unknown
    error: Error | null
    isFetching: boolean
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  /** Whether its input is loaded. */
  isReady: boolean
}

/** The state of a query that computes: its error, its progress, or that it was cancelled. */
export function Computation({ query, isReady, ...props }: ComputationProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  if (isFetching) return <Computing {...props} />
  if (error !== null) {
    return (
      <Note tone="failure" action={<Button onClick={() => void refetch()}>Try Again</Button>}>
        {messageOf(error, 'The server is not responding.')}
      </Note>
    )
  }
  if (!isReady || (data !== undefined && !isPlaceholderData)) return null
  return (
    <Note tone="info" action={<Button onClick={() => void refetch()}>Compute</Button>}>
      Cancelled.
    </Note>
  )
}
