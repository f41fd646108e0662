/** What a query brought, its shape while it is on the way, or what went wrong and Retry. */
import { Button, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Note } from './note.tsx'
import classes from './loaded.module.css'

/** As much of a query as is drawn. */
type Query<T> = {
  data: T | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}

type Props<T> = {
  query: Query<T>
  /** What is being loaded, continuing "Loading". */
  what: string
  /** The title of a failure. */
  failure: string
  /** The sentence for an error. */
  reasonOf: (error: Error) => string
  /** Rows of the skeleton. */
  lines: number
  /** Its content reaches the edges of the panel, so an error needs a margin. */
  isFlush?: boolean
  /** A link to where the reader can go on after a failure, beside Retry. */
  wayOut?: ReactNode
  children: (data: T) => ReactNode
}

/** What was loaded once stays, also when reading it again fails. */
export function Loaded<T>({ query, what, isFlush = false, children, ...props }: Props<T>) {
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

/** The shape of a table or a list that is coming, and a word for those who do not see it. */
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

/** A number that is not known yet. */
export function SkeletonNumber() {
  return <Skeleton unstyled className={classes.number} />
}
