/** Deletes the account: lists what will be deleted, and asks for its email. */
import { deleteAccount } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { call, messageOf } from '#web/lib/api.ts'
import { deletionPreviewQuery, describeContents } from '#web/lib/deletion-preview.ts'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'

type Props = { email: string; onDeleted: () => void }

export function DeleteAccount(props: Props) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Panel title="Delete account">
      <p className="quiet">Deletes {props.email} and all its data. This cannot be undone.</p>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Delete my account
      </Button>
      {isAsking && <DeleteDialog {...props} onClose={() => setIsAsking(false)} />}
    </Panel>
  )
}

function DeleteDialog({ email, onDeleted, onClose }: Props & { onClose: () => void }) {
  const isSame = (typed: string) => typed.trim().toLowerCase() === email.toLowerCase()
  const { data: preview } = useQuery(deletionPreviewQuery({}))
  const contents = preview === undefined ? '' : describeContents(preview)
  return (
    <CallDialog
      title="Delete my account"
      text={`${contents === '' ? 'All your data' : contents}, your API keys and unused credits are deleted immediately. Your comments on screens of others stay, without your name. This cannot be undone.`}
      confirm="Delete account"
      isDangerous
      schema={z.object({ confirm: z.string().refine(isSame) })}
      says={{ confirm: 'This does not match your account’s email.' }}
      call={(body) => call(deleteAccount, { body })}
      failure="Your account was not deleted"
      reasonOf={(error) => messageOf(error, 'Try again.')}
      onDone={onDeleted}
      onClose={onClose}
    >
      {(field) => (
        <Field
          label={`Type ${email} to confirm`}
          type="email"
          autoComplete="off"
          {...field('confirm')}
        />
      )}
    </CallDialog>
  )
}
