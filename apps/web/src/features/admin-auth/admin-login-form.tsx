/** Email, password, Login. Missing fields are reported before anything is sent. */
import { Button } from '#web/ui/button.ts'
import { messages } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { z } from 'zod'
import { adminReason } from '#web/lib/admin-api.ts'
import { signInAdmin } from './admin-session.ts'
import { ApiError } from '#web/lib/api.ts'
import { Field, focusFirstError } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './admin-login-form.module.css'

type Credentials = { email: string; password: string }
type Errors = Partial<Record<keyof Credentials, string>>

/** `notice` (e.g. session expired) is shown until a newer message replaces it. */
export function AdminLoginForm({ notice }: { notice: string | null }) {
  const [errors, setErrors] = useState<Errors>({})
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ email, password }: Credentials) => signInAdmin(email, password),
  })
  const text = error === null ? notice : loginFailure(error)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const credentials = {
      email: textOf(fields, 'email').trim(),
      password: textOf(fields, 'password'),
    }
    const found = findErrors(credentials)
    setErrors(found)
    if (Object.keys(found).length > 0) focusFirstError(form)
    else if (!isPending) mutate(credentials)
  }

  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      {text !== null && !isPending && <Note tone="failure">{text}</Note>}
      <div>
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          error={errors.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          error={errors.password}
        />
      </div>
      <Button type="submit" fullWidth aria-disabled={isPending} mod={{ waiting: isPending }}>
        {isPending ? 'Logging in...' : 'Login'}
      </Button>
      <details className={classes.forgotten}>
        <summary>Forgotten your password?</summary>
        <p>
          Ask whoever runs the server to enter this in the pKdex folder. With the embedded database,
          stop pKdex first:
          <code className="mono">npm run admin -- reset-password you@example.org</code>
        </p>
      </details>
    </form>
  )
}

function findErrors({ email, password }: Credentials): Errors {
  return {
    ...(z.email().safeParse(email).success ? {} : { email: 'Enter your email address.' }),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  }
}

/** Only a refusal is about the credentials; rate limits and an unreachable server are not. */
function loginFailure(error: Error): string {
  const isAnswered = error instanceof ApiError && error.status !== 0
  const isRefusal = isAnswered && error.status !== 429 && error.status < 500
  return isRefusal ? messages.admin.loginFailed : adminReason(error)
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
