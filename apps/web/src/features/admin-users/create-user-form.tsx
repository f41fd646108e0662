/** Creates a user, and tells the page who it is. */
import { Button } from '@mantine/core'
import { type AdminUser, createUser, messages } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { adminReason } from '#web/lib/admin-api.ts'
import { useRefreshAdmin } from '#web/lib/admin-cache.ts'
import { callAdmin } from '#web/lib/admin-session.ts'
import { focusFirstError } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { UserFields } from './user-fields.tsx'
import {
  findUserFormErrors,
  readUserForm,
  type UserForm,
  type UserFormErrors,
} from './user-form.ts'
import classes from './user-form.module.css'

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
