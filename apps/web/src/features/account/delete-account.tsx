/** The end of an account: says what goes, and asks for its e-mail before it is too late. */
import { deleteAccount } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call, messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'

type Props = { email: string; onDeleted: () => void }

export function DeleteAccount(props: Props) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Panel title="Account">
      <p className="quiet">
        Deletes {props.email} with its files, targets, compounds, predictions, screens, measured
        values and keys. It cannot be undone.
      </p>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Delete my account
      </Button>
      {isAsking && <DeleteDialog {...props} onClose={() => setIsAsking(false)} />}
    </Panel>
  )
}

function DeleteDialog({ email, onDeleted, onClose }: Props & { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(deleteAccount, { body: { confirm: typed } }),
    onSuccess: onDeleted,
  })
  const confirm = () => {
    const isRight = typed.trim().toLowerCase() === email.toLowerCase()
    setIsWrong(!isRight)
    if (isRight) mutate()
  }
  return (
    <ConfirmDialog
      title="Delete my account"
      text="Everything of yours is deleted at once, also unused credits. Nobody can bring it back."
      confirm="Delete for good"
      isDangerous
      isBusy={isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {error !== null && (
        <Note tone="failure" title="Your account was not deleted">
          {messageOf(error, 'Please try again.')}
        </Note>
      )}
      <Field
        label={`Type ${email} to confirm`}
        type="email"
        autoComplete="off"
        value={typed}
        error={isWrong ? 'This is not the e-mail of your account.' : undefined}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
    </ConfirmDialog>
  )
}
