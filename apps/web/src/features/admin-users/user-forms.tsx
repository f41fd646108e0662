/** The forms in which an administrator creates and changes a user; their fields are the same. */
import { Button } from '#web/ui/button.ts'
import { type AdminUser, createUser, messages, setUserCredits, updateUser } from '@pkdex/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { Field, focusFirstError, Switch } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import {
  findUserFormErrors,
  readUserChange,
  readUserForm,
  type UserChange,
  type UserForm,
  type UserFormErrors,
} from './user-form.ts'
import classes from './user-forms.module.css'
import { useRefreshAdmin, userQuery } from './users-query.ts'

/** Creates a user, and tells the page who it is. */
export function CreateUserForm({ onCreated }: { onCreated: (user: AdminUser) => void }) {
  const [errors, setErrors] = useState<UserFormErrors>({})
  const refresh = useRefreshAdmin()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: UserForm) => callAdmin(createUser, { body: toBody(form) }),
    onSuccess(user) {
      refresh('users', 'database', 'audit')
      onCreated(user)
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = readUserForm(event.currentTarget)
    const found = findUserFormErrors(form, { needsCredits: false })
    setErrors(found)
    if (Object.keys(found).length > 0) focusFirstError(event.currentTarget)
    else if (!isPending) mutate(form)
  }

  return (
    <form noValidate onSubmit={submit} aria-label="New user">
      <UserFields
        user={null}
        errors={errors}
        creditsHint="Left empty, the user begins with the usual number of credits."
      />
      {error !== null && !isPending && (
        <div className={classes.failure}>
          <Note tone="failure" title={messages.admin.createFailed}>
            {adminReason(error)}
          </Note>
        </div>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={isPending}>
          Create user
        </Button>
        <Button component={Link} variant="subtle" color="gray" to="/admin/users">
          Cancel
        </Button>
      </div>
    </form>
  )
}

function toBody({ email, name, googleId, credits, isActive }: UserForm) {
  return {
    email,
    password: '',
    is_active: isActive,
    name,
    ...(credits === '' ? {} : { credits: Number(credits) }),
    ...(googleId === '' ? {} : { googleId }),
  }
}

type EditProps = {
  user: AdminUser
  /** Where the list of users is, as it was left. */
  list: string
  /** What the balance has become beside this form, if it was changed there. */
  balance: number | null
}

/** Changes a user. Credits are sent only when they were changed here: predictions may be spending them meanwhile. */
export function EditUserForm({ user, list, balance }: EditProps) {
  // What was read meanwhile must not overwrite what is being typed; what was saved is what it goes on from.
  const [base, setBase] = useState({ user, saves: 0 })
  const [seenBalance, setSeenBalance] = useState(balance)
  if (balance !== null && balance !== seenBalance) {
    setSeenBalance(balance)
    setBase({ ...base, user: { ...base.user, credits: balance } })
  }
  const [errors, setErrors] = useState<UserFormErrors>({})
  const client = useQueryClient()
  const refresh = useRefreshAdmin()
  const { mutate, data, error, variables, isPending, reset } = useMutation({
    mutationFn: (change: UserChange) => save(base.user._id, change),
    onSuccess(saved) {
      setBase(({ saves }) => ({ user: saved, saves: saves + 1 }))
      client.setQueryData(userQuery(saved._id).queryKey, saved)
      refresh('users', 'user', 'database', 'audit')
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = readUserForm(event.currentTarget)
    const found = findUserFormErrors(form, { needsCredits: true })
    setErrors(found)
    if (Object.keys(found).length > 0) focusFirstError(event.currentTarget)
    else if (!isPending) mutate(readUserChange(base.user, form))
  }

  const isCreditsOnly = variables?.kind === 'credits'
  return (
    <form noValidate onSubmit={submit} onChange={reset} aria-label="User">
      <UserFields
        key={base.saves}
        user={base.user}
        errors={errors}
        creditsHint="The change is written to the credits ledger."
      />
      {error !== null && !isPending && (
        <div className={classes.failure}>
          <Note
            tone="failure"
            title={isCreditsOnly ? messages.admin.creditsFailed : messages.admin.updateFailed}
          >
            {adminReason(error)}
          </Note>
        </div>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={isPending}>
          Save
        </Button>
        <Button component={Link} variant="subtle" color="gray" to={list}>
          Cancel
        </Button>
      </div>
      <output className={classes.saved}>{data !== undefined && !isPending && 'Saved'}</output>
    </form>
  )
}

function save(userId: string, change: UserChange): Promise<AdminUser> {
  const params = { userId }
  switch (change.kind) {
    case 'credits':
      return callAdmin(setUserCredits, { params, query: { credits: String(change.credits) } })
    case 'fields':
      return callAdmin(updateUser, { params, body: change.body })
  }
}

type FieldsProps = { user: AdminUser | null; errors: UserFormErrors; creditsHint: string }

/** The fields of a user, alike for creating and editing. */
function UserFields({ user, errors, creditsHint }: FieldsProps) {
  return (
    <>
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={user?.name}
        error={errors.name}
      />
      <Field
        label="Email (required)"
        name="email"
        type="email"
        autoComplete="off"
        required
        defaultValue={user?.email}
        error={errors.email}
      />
      <Field
        label="Google ID"
        name="googleId"
        autoComplete="off"
        defaultValue={user?.googleId ?? ''}
        hint="Leave empty: the first Google sign-in with this e-mail is linked."
        error={errors.googleId}
      />
      <Field
        // A new balance takes the place of the old one.
        key={user?.credits}
        label="Credits"
        name="credits"
        type="number"
        min={0}
        step="any"
        defaultValue={user?.credits}
        hint={creditsHint}
        error={errors.credits}
      />
      <Switch label="Active" name="isActive" defaultChecked={user?.is_active ?? true} />
      {user !== null && (
        <p className="small quiet">Switching off ends the user’s sessions and keys at once.</p>
      )}
    </>
  )
}
