/** Changes a user. Credits are sent only when they were changed here: predictions may be spending them meanwhile. */
import { Button } from '@mantine/core'
import { type AdminUser, messages, setUserCredits, updateUser } from '@pkdex/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { adminReason } from '#web/lib/admin-api.ts'
import { useRefreshAdmin } from '#web/lib/admin-cache.ts'
import { callAdmin } from '#web/lib/admin-session.ts'
import { focusFirstError } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { type UserChange, readUserChange } from './user-change.ts'
import { UserFields } from './user-fields.tsx'
import { findUserFormErrors, readUserForm, type UserFormErrors } from './user-form.ts'
import { userQuery } from './users-query.ts'
import classes from './user-form.module.css'

export function EditUserForm({ user }: { user: AdminUser }) {
  // What was read meanwhile must not overwrite what is being typed; what was saved is what it goes on from.
  const [base, setBase] = useState({ user, saves: 0 })
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
        <Button component={Link} variant="subtle" color="gray" to="/admin/users">
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
