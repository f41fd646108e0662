/** Writes a comment, or edits one. What was typed is kept while the page is open, also if its dialog is closed. */
import { COMMENT_CHARACTERS_MAX, type Comment } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { useOwnClient } from '#web/lib/viewing.tsx'
import { Button } from '#web/ui/button.ts'
import { TextArea } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './comments.module.css'

/** Kept with the user's own data, so that it is dropped with them when another user signs in. */
export function useDraft(draft: string) {
  const client = useOwnClient()
  const queryKey = ['draft', draft]
  return {
    read: () => client.getQueryData<string>(queryKey),
    keep: (text: string | null) => {
      client.setQueryDefaults(['draft'], { gcTime: Infinity })
      if (text === null) client.removeQueries({ queryKey })
      else client.setQueryData(queryKey, text)
    },
  }
}

type Props = {
  /** Of what it is the draft. */
  draft: string
  label: string
  verb: string
  /** The text to edit. */
  text?: string
  takesFocus?: boolean
  send: (text: string) => Promise<Comment>
  onDone: () => void
  children?: ReactNode
}

export function CommentForm({ draft, label, verb, text = '', children, ...props }: Props) {
  const { takesFocus = false, send, onDone } = props
  const { read, keep } = useDraft(draft)
  const [typed, setTyped] = useState(() => read() ?? text)
  const type = (next: string) => {
    setTyped(next)
    keep(next === text ? null : next)
  }
  const form = useRef<HTMLFormElement>(null)
  const sending = useMutation({
    mutationFn: () => send(typed),
    onSuccess: () => {
      type(text)
      form.current?.querySelector('textarea')?.focus()
      onDone()
    },
  })
  useEffect(() => {
    if (takesFocus) form.current?.querySelector('textarea')?.focus()
  }, [takesFocus])
  const isTooLong = typed.length > COMMENT_CHARACTERS_MAX
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (!sending.isPending) sending.mutate()
  }
  return (
    <form ref={form} className={classes.form} onSubmit={submit}>
      <TextArea
        label={label}
        hint="Visible to everyone who can see this screen."
        placeholder=""
        rows={3}
        value={typed}
        onChange={type}
      />
      {isTooLong && (
        <Note tone="warning">{`${typed.length.toLocaleString('en')} of at most ${COMMENT_CHARACTERS_MAX.toLocaleString('en')} characters.`}</Note>
      )}
      {sending.error && (
        <Note tone="failure" title="The comment was not saved">
          {messageOf(sending.error, 'Try again.')}
        </Note>
      )}
      <div className="wraps">
        <Button
          type="submit"
          loading={sending.isPending}
          disabled={typed.trim() === '' || isTooLong}
        >
          {verb}
        </Button>
        {children}
      </div>
    </form>
  )
}
