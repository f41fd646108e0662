/** Opens the comments on a screen, and says how many there are. */
import type { Screen } from '@pkdex/contract'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { SkeletonLines } from '#web/ui/loaded.tsx'
import type { Place } from './comment-queries.ts'

const CommentList = lazy(async () => ({
  default: (await import('./comment-list.tsx')).CommentList,
}))

type Props = {
  screen: Screen
  /** Comments by others that the user has not seen. */
  unseen: number
  onSeen: (comment: string) => void
  onOpenPlace?: (place: Place) => void
}

export function CommentsButton({ screen, unseen, onSeen, onOpenPlace }: Props) {
  const [isOpen, setOpen] = useState(false)
  const counts = [screen.comments > 0 && `${screen.comments}`, unseen > 0 && `${unseen} new`]
  const shown = counts.filter((count) => count !== false).join(', ')
  const open = onOpenPlace && {
    onOpenPlace: (place: Place) => {
      setOpen(false)
      onOpenPlace(place)
    },
  }
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {shown === '' ? 'Comments' : `Comments (${shown})`}
      </Button>
      {isOpen && (
        <Dialog label="Comments" width={560} onClose={() => setOpen(false)}>
          <Suspense fallback={<SkeletonLines what="the comments" lines={2} />}>
            <CommentList {...{ screen, onSeen }} {...open} place={null} />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}

/** The comments on a pair and on its compound, as a section of its dialog. */
export function PairComments({ screen, place }: { screen: Screen; place: Place }) {
  return (
    <section aria-label="Comments">
      <h2>Comments</h2>
      <Suspense fallback={<SkeletonLines what="the comments" lines={2} />}>
        <CommentList {...{ screen, place }} />
      </Suspense>
    </section>
  )
}
