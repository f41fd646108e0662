/** What a query brought, its shape while it is on the way, or what went wrong and Retry. */
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Note } from './note.tsx'
import { SkeletonLines } from './skeleton.tsx'
import classes from './loaded.module.css'

type Props<T> = {
  query: UseQueryResult<T>
  /** What is being loaded, as it goes on after "Loading". */
  what: string
  /** The title of a failure. */
  failure: string
  /** The sentence for an error. */
  reasonOf: (error: Error) => string
  /** Rows of the skeleton. */
  lines: number
  /** What stands in it reaches the edges of its sheet; a failure then needs a margin of its own. */
  isFlush?: boolean
  children: (data: T) => ReactNode
}

/** What was loaded once stays, also when reading it again fails. */
export function Loaded<T>({ query, what, isFlush = false, children, ...props }: Props<T>) {
  const { failure, reasonOf, lines } = props
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null || isFetching) return <SkeletonLines lines={lines} what={what} />
  return (
    <div className={classes.failure} data-flush={isFlush}>
      <Note
        tone="failure"
        title={failure}
        action={
          <Button variant="default" onClick={() => void refetch()}>
            Retry
          </Button>
        }
      >
        {reasonOf(error)}
      </Note>
    </div>
  )
}
