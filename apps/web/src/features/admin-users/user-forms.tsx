/** The forms for creating and changing a user; they share their fields. */
import { Box, Flex } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import {
  type AdminUser,
  changeCredits,
  createUser,
  messages,
  setUserCredits,
  updateUser,
} from '@pkdex/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type ChangeEvent, useState } from 'react'
import { Link } from 'react-router'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { newOrderKey } from '#web/lib/api.ts'
import { Field, Switch } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { type NamedField, useForm } from '#web/ui/use-form.ts'
import { creditsHint, readCredits } from './credits-input.ts'
import { EditedUser, NewUser, readUserChange, type UserChange } from './user-form.ts'
import classes from './user-forms.module.css'
import { useRefreshAdmin, userQuery } from './users-query.ts'

/** Creates a user, and passes it to the page. */
export function CreateUserForm({ onCreated }: { onCreated: (user: AdminUser) => void }) {
  const refresh = useRefreshAdmin()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: z.output<typeof NewUser>) => callAdmin(createUser, { body }),
    onSuccess(user) {
      refresh('users', 'database', 'audit')
      onCreated(user)
    },
  })
  const form = useForm(NewUser, { send: (body) => mutate(body), isBusy: isPending })
  return (
    <form {...form.props} aria-label="New user">
      <UserFields
        user={null}
        field={form.field}
        creditsHint="Leave empty for the default number of credits."
      />
      {error !== null && !isPending && (
        <Box mt="sm">
          <Note tone="failure" title={messages.admin.createFailed}>
            {adminReason(error)}
          </Note>
        </Box>
      )}
      <Flex wrap="wrap" gap="xs" mt="sm">
        <Button type="submit" loading={isPending}>
          Create user
        </Button>
        <Button component={Link} variant="subtle" color="gray" to="/admin/users">
          Cancel
        </Button>
      </Flex>
    </form>
  )
}

type EditProps = {
  user: AdminUser
  /** URL of the user list in its last state. */
  list: string
}

/** Changes a user. Credits are sent only if changed here, because predictions may be using them meanwhile. */
export function EditUserForm({ user, list }: EditProps) {
  // A background refresh must not overwrite what is being typed; a save becomes the new baseline.
  const [base, setBase] = useState({ user, saves: 0 })
  // The same request, sent again after a failure, does not change credits twice.
  const [orderKey, setOrderKey] = useState(newOrderKey)
  const client = useQueryClient()
  const refresh = useRefreshAdmin()
  const { mutate, data, error, variables, isPending, reset } = useMutation({
    mutationFn: (change: UserChange) => save(base.user, change, orderKey),
    onSuccess(saved) {
      setOrderKey(newOrderKey())
      setBase(({ saves }) => ({ user: saved, saves: saves + 1 }))
      client.setQueryData(userQuery(saved._id).queryKey, saved)
      refresh('users', 'user', 'database', 'audit')
    },
  })

  const form = useForm(EditedUser, {
    send: (fields) => mutate(readUserChange(base.user, fields)),
    isBusy: isPending,
  })

  function edited(event: ChangeEvent<HTMLFormElement>) {
    form.props.onChange(event)
    reset()
    setOrderKey(newOrderKey())
  }

  return (
    <form {...form.props} onChange={edited} aria-label="User">
      <UserFields key={base.saves} user={base.user} field={form.field} creditsHint={creditsHint} />
      {error !== null && !isPending && (
        <Box mt="sm">
          <Note
            tone="failure"
            title={
              isOfCredits(variables) ? messages.admin.creditsFailed : messages.admin.updateFailed
            }
          >
            {adminReason(error)}
          </Note>
        </Box>
      )}
      <Flex wrap="wrap" gap="xs" mt="sm">
        <Button type="submit" loading={isPending}>
          Save
        </Button>
        <Button component={Link} variant="subtle" color="gray" to={list}>
          Cancel
        </Button>
      </Flex>
      <output className={classes.saved}>{data !== undefined && !isPending && 'Saved'}</output>
    </form>
  )
}

function isOfCredits(change: UserChange | undefined): boolean {
  return change?.kind === 'credits' || (change?.kind === 'delta' && change.body === null)
}

async function save(user: AdminUser, change: UserChange, orderKey: string): Promise<AdminUser> {
  const params = { userId: user._id }
  switch (change.kind) {
    case 'credits':
      return callAdmin(setUserCredits, { params, query: { credits: String(change.credits) } })
    case 'fields':
      return callAdmin(updateUser, { params, body: change.body })
    case 'delta': {
      const { delta, note, body: fields } = change
      const saved = fields ? await callAdmin(updateUser, { params, body: fields }) : user
      const body = { user_ids: [user._id], delta, note }
      const { users } = await callAdmin(changeCredits, { body, orderKey })
      return { ...saved, credits: users[0]?.credits ?? saved.credits }
    }
  }
}

type FieldsProps = {
  user: AdminUser | null
  field: (name: string) => NamedField
  creditsHint: string
}

/** The fields of a user, the same for creating and editing. */
function UserFields({ user, field, creditsHint }: FieldsProps) {
  return (
    <>
      <Field label="Name" autoComplete="off" defaultValue={user?.name} {...field('name')} />
      <Field
        label="Email (required)"
        type="email"
        autoComplete="off"
        required
        defaultValue={user?.email}
        {...field('email')}
      />
      <Field
        label="Google ID"
        autoComplete="off"
        defaultValue={user?.googleId ?? ''}
        hint="Leave empty: an address that its sign-in provider manages (gmail.com, Google Workspace) is linked at the first sign-in, others by an invitation link."
        {...field('googleId')}
      />
      <CreditsFields credits={user?.credits} hint={creditsHint} field={field} />
      <Switch label="Active" name="isActive" defaultChecked={user?.is_active ?? true} />
      {user !== null && (
        <p className="small quiet">
          Deactivating ends the user’s sessions and API keys immediately.
        </p>
      )}
    </>
  )
}

type CreditsProps = Pick<FieldsProps, 'field'> & { credits: number | undefined; hint: string }

/** A change of the balance may have a note. */
function CreditsFields({ credits, hint, field }: CreditsProps) {
  const [typed, setTyped] = useState('')
  return (
    <>
      <Field
        label="Credits"
        inputMode="text"
        autoComplete="off"
        defaultValue={credits}
        hint={hint}
        {...field('credits')}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      {credits !== undefined && readCredits(typed)?.kind === 'change' && (
        <Field
          label="Note"
          autoComplete="off"
          hint="Shown in the ledger, which users can export."
          {...field('note')}
        />
      )}
    </>
  )
}
