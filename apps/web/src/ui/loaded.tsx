/** The result of a query: its data, a skeleton while it loads, or an error with Retry. */
import { Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Note } from './note.tsx'
import classes from './loaded.module.css'

/** The part of a query that is used. */
type Query<T> = {
  data: T | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

export type LoadedProps<T> = {
  query: Query<T>
  /** What is being loaded, continuing "Loading". */
  what: string
  /** The title of a failure. */
  failure: string
  /** The message for an error. */
  reasonOf: (error: Error) => string
  /** Rows of the skeleton. */
  lines: number
  /** Its content reaches the edges of the panel, so an error needs a margin. */
  isFlush?: boolean
  /** A link next to Retry, to where the user can go on. */
  wayOut?: ReactNode
  children: (data: T) => ReactNode
}

/** Loaded data stays, even if reloading it fails. */
export function Loaded<T>({ query, what, isFlush = false, children, ...props }: LoadedProps<T>) {
  const { failure, reasonOf, lines, wayOut } = props
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null || isFetching) return <SkeletonLines lines={lines} what={what} />
  return (
    <div className={classes.failure} data-flush={isFlush}>
      <Note
        tone="failure"
        title={failure}
        action={
          <div className={classes.ways}>
            {wayOut}
            <Button variant="default" onClick={() => void refetch()}>
              Retry
            </Button>
          </div>
        }
      >
        {reasonOf(error)}
      </Note>
    </div>
  )
}

/** A placeholder for a table or a list, with a text for screen readers. */
export function SkeletonLines({ lines, what }: { lines: number; what: string }) {
  return (
    <div aria-busy="true" data-skeleton>
      <span className="visually-hidden">Loading {what}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={classes.line}>
          <Skeleton unstyled className={classes.text} />
          <Skeleton unstyled className={classes.text} />
        </div>
      ))}
    </div>
  )
}

/** A placeholder for a number. */
export function SkeletonNumber() {
  return <Skeleton unstyled className={classes.number} />
}
