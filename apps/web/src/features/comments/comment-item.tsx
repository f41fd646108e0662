/** One comment: author, time and text; authors edit and delete it. */
import { Flex, Stack } from '#web/ui/layout.ts'
import { type Comment, deleteComment, editComment } from '@pkdex/contract'
import { useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { formatMinute } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { CommentForm } from './comment-form.tsx'
import type { Place } from './comment-queries.ts'
import classes from './comments.module.css'
import { LinkedText } from './linked-text.tsx'

type Props = {
  screenId: string
  comment: Comment
  /** Names its compound or pair in a list of the whole screen. */
  isPlaceNamed: boolean
  onOpenPlace?: ((place: Place) => void) | undefined
  onChanged: () => void
}

export function CommentItem({ screenId, comment, isPlaceNamed, onOpenPlace, onChanged }: Props) {
  const [step, setStep] = useState<'edit' | 'delete' | null>(null)
  const { id, text, is_own: isOwn, created_at: at, edited_at: editedAt } = comment
  const params = { id: screenId, commentId: id }
  const close = () => setStep(null)
  return (
    <Stack component="li" className={classes.comment} gap="var(--s-1)" pt="sm">
      <p className={classes.about}>
        <b>
          <bdi>{authorOf(comment)}</bdi>
        </b>
        <span className="quiet small">
          <time dateTime={at}>{formatMinute(at)}</time>
          {editedAt !== null && ', edited'}
        </span>
        {isPlaceNamed && <PlaceName {...{ comment, onOpenPlace }} />}
      </p>
      {step === 'edit' ? (
        <CommentForm
          draft={`edit ${id}`}
          label="Edit comment"
          verb="Save"
          text={text}
          takesFocus
          send={(next) => call(editComment, { params, body: { text: next } })}
          onDone={() => {
            close()
            onChanged()
          }}
        >
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </CommentForm>
      ) : (
        <LinkedText text={text} />
      )}
      {isOwn && step !== 'edit' && (
        <Flex gap="var(--s-1)" ml="calc(-1 * var(--s-3))">
          <Button variant="subtle" onClick={() => setStep('edit')}>
            Edit
          </Button>
          <Button variant="subtle" onClick={() => setStep('delete')}>
            Delete
          </Button>
        </Flex>
      )}
      {step === 'delete' && (
        <CallDialog
          title="Delete comment"
          text="This cannot be undone."
          confirm="Delete"
          isDangerous
          failure="The comment was not deleted"
          call={() => call(deleteComment, { params })}
          reasonOf={(error) => messageOf(error, 'Try again.')}
          onDone={onChanged}
          onClose={close}
        />
      )}
    </Stack>
  )
}

function authorOf({ author, is_own: isOwn }: Comment): string {
  if (isOwn) return 'You'
  return author === null ? 'Deleted user' : author || 'Unnamed user'
}

function PlaceName({ comment, onOpenPlace }: Pick<Props, 'comment' | 'onOpenPlace'>) {
  const { row, column, compound, target } = comment
  if (row === null) return null
  const name = target === null ? compound : `${compound} on ${target}`
  if (onOpenPlace === undefined) return <span className="small">{name}</span>
  return (
    <Button
      variant="subtle"
      className={classes.place}
      onClick={() => onOpenPlace({ row, column: column ?? 1 })}
    >
      {name}
    </Button>
  )
}
