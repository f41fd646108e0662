/** Changes an administrator's own password: the current one, and the new one twice. */
import { ADMIN_PASSWORD_CHARACTERS_MIN, changeAdminPassword } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { Button } from '#web/ui/button.ts'
import { Field, focusFirstError } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import classes from './administrators.module.css'

type Typed = { current: string; next: string; repeated: string }

const nothing: Typed = { current: '', next: '', repeated: '' }

export function OwnPassword() {
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState(nothing)
  const [isTold, setIsTold] = useState(false)
  const { mutate, isSuccess, error, isPending, reset } = useMutation({
    mutationFn: () => sendChange(typed),
    onSuccess() {
      setTyped(nothing)
      setIsTold(false)
    },
  })
  const errors = findErrors(typed)

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsTold(true)
    if (Object.keys(errors).length > 0) focusFirstError(form.current)
    else if (!isPending) mutate()
  }

  const field = (name: keyof Typed, autoComplete: 'current-password' | 'new-password') => ({
    type: 'password',
    autoComplete,
    value: typed[name],
    error: isTold ? errors[name] : undefined,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      reset()
      setTyped({ ...typed, [name]: value })
    },
  })
  return (
    <Panel title="Your password">
      <form
        ref={form}
        className={classes.password}
        noValidate
        aria-label="Your password"
        onSubmit={submit}
      >
        <Field label="Current password" {...field('current', 'current-password')} />
        <Field
          label="New password"
          hint={`At least ${ADMIN_PASSWORD_CHARACTERS_MIN} characters.`}
          {...field('next', 'new-password')}
        />
        <Field label="Repeat new password" {...field('repeated', 'new-password')} />
        {error !== null && !isPending && (
          <Note tone="failure" title="Your password was not changed">
            {adminReason(error)}
          </Note>
        )}
        <Button type="submit" loading={isPending}>
          Change password
        </Button>
        <output className={classes.saved}>
          {isSuccess && 'Your password was changed. Your other sessions have ended.'}
        </output>
      </form>
    </Panel>
  )
}

function sendChange({ current, next }: Typed) {
  const body = { current_password: current, new_password: next }
  return callAdmin(changeAdminPassword, { body })
}

function findErrors({ current, next, repeated }: Typed): Partial<Typed> {
  const isLong = next.length >= ADMIN_PASSWORD_CHARACTERS_MIN
  return {
    ...(current === '' && { current: 'Enter your current password.' }),
    ...(!isLong && { next: `Use at least ${ADMIN_PASSWORD_CHARACTERS_MIN} characters.` }),
    ...(next !== repeated && { repeated: 'The passwords do not match.' }),
  }
}
