/** The comments on a screen, or on a pair and its compound, and a form for another. New ones appear by themselves. */
import { Stack } from '#web/ui/layout.ts'
import { addComment, type Screen } from '@pkdex/contract'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { call, loadingReason } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { Button } from '#web/ui/button.ts'
import { Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { CommentForm, useDraft } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import { commentsQuery, type Place } from './comment-queries.ts'
import classes from './comments.module.css'

type Props = {
  screen: Pick<Screen, 'id' | 'comments' | 'commented_at' | 'target_count'>
  /** A pair, whose compound's comments are shown too; null: the whole screen. */
  place: Place | null
  onOpenPlace?: (place: Place) => void
  /** Called with the latest comment that is shown. */
  onSeen?: (comment: string) => void
}

export function CommentList({ screen, place, onOpenPlace, onSeen }: Props) {
  const { id } = screen
  const client = useQueryClient()
  const comments = useInfiniteQuery({ ...commentsQuery(id, place), enabled: screen.comments > 0 })
  const shown = screen.comments === 0 ? [] : comments.data?.pages.flatMap((page) => page.comments)
  useNewComments(screen)
  const body = useRef<HTMLDivElement>(null)
  useKeptFocus(body, shown?.length)
  useSeen(shown?.[0]?.id, onSeen)
  // The screen then says how many there are, and the lists follow.
  const reload = () => {
    void readAgain(client, { queryKey: ['screen', id], exact: true })
    void readAgain(client, { queryKey: ['screen', id, 'comments'] })
  }
  return (
    <Stack align="flex-start" ref={body} tabIndex={-1} className={classes.body}>
      <NewComment {...{ screen, place }} onDone={reload} />
      <Loaded
        query={{ ...comments, data: shown }}
        what="the comments"
        failure="Failed to load the comments"
        reasonOf={loadingReason}
        lines={2}
      >
        {(found) =>
          found.length > 0 && (
            <ul className={classes.list} aria-label="Comments" aria-live="polite">
              {found.map((comment) => (
                <CommentItem
                  key={comment.id}
                  screenId={id}
                  comment={comment}
                  isPlaceNamed={place === null}
                  onOpenPlace={onOpenPlace}
                  onChanged={reload}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {comments.hasNextPage && (
        <Button
          variant="default"
          loading={comments.isFetchingNextPage}
          onClick={() => void comments.fetchNextPage()}
        >
          Older comments
        </Button>
      )}
    </Stack>
  )
}

/** A button that was used may be gone with its form or its comment: the focus then stays among the comments. */
function useKeptFocus(body: RefObject<HTMLElement | null>, count: number | undefined) {
  const before = useRef(count)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (isLost && before.current !== undefined && before.current !== count) body.current?.focus()
    before.current = count
  }, [body, count])
}

/** Loads the lists again when the screen says that a comment was written, edited or deleted. */
function useNewComments({ id, commented_at: at }: Props['screen']) {
  const client = useQueryClient()
  const loaded = useRef(at)
  useEffect(() => {
    if (loaded.current === at) return
    loaded.current = at
    void readAgain(client, { queryKey: ['screen', id, 'comments'] })
  }, [client, id, at])
}

function useSeen(latest: string | undefined, onSeen: Props['onSeen']) {
  useEffect(() => {
    if (latest !== undefined) onSeen?.(latest)
  }, [latest, onSeen])
}

const ON = [
  { value: 'pair', label: 'This pair' },
  { value: 'compound', label: 'This compound, on every target' },
] as const

/** On a pair, the form opens on request: the prediction comes first. */
function NewComment({ screen, place, onDone }: Props & { onDone: () => void }) {
  const { id, target_count: targets } = screen
  const draft = `${id} ${place?.row} ${place?.column}`
  const { read } = useDraft(draft)
  const [on, setOn] = useState<'pair' | 'compound'>('pair')
  const [openedOn, setOpenedOn] = useState<string | null>(null)
  const at = place === null ? {} : on === 'pair' ? place : { row: place.row }
  if (place !== null && openedOn !== draft && read() === undefined) {
    return (
      <Button variant="default" onClick={() => setOpenedOn(draft)}>
        Add comment
      </Button>
    )
  }
  return (
    <>
      {place !== null && targets > 1 && (
        <Select label="On" isLabelHidden value={on} options={ON} onChange={setOn} />
      )}
      <CommentForm
        key={draft}
        draft={draft}
        label="New comment"
        verb="Comment"
        takesFocus={openedOn === draft}
        send={(text) => call(addComment, { params: { id }, body: { text, ...at } })}
        onDone={() => {
          setOpenedOn(null)
          onDone()
        }}
      />
    </>
  )
}
