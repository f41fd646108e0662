/** Email, password, Login. Missing fields are reported before anything is sent. */
import { Button } from '#web/ui/button.ts'
import { createAdministrator, messages, requestAdminToken } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { adminReason } from '#web/lib/admin-api.ts'
import { signInAdmin } from './admin-session.ts'
import { ApiError } from '#web/lib/api.ts'
import { Field } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import { useForm } from '#web/ui/use-form.ts'
import classes from './admin-login-form.module.css'

const Credentials = z.object({
  email: z.string().trim().pipe(createAdministrator.body.shape.email),
  password: requestAdminToken.body.shape.password,
})

const says = { email: 'Enter your email address.', password: 'Enter your password.' }

/** `notice` (e.g. session expired) is shown until a newer message replaces it. */
export function AdminLoginForm({ notice }: { notice: string | null }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ email, password }: z.output<typeof Credentials>) => signInAdmin(email, password),
  })
  const text = error === null ? notice : loginFailure(error)

  const form = useForm(Credentials, { says, send: (body) => mutate(body), isBusy: isPending })

  return (
    <form className={classes.form} {...form.props}>
      {text !== null && !isPending && <Note tone="failure">{text}</Note>}
      <div>
        <Field label="Email" type="email" autoComplete="username" {...form.field('email')} />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          {...form.field('password')}
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

/** Only a refusal is about the credentials; rate limits and an unreachable server are not. */
function loginFailure(error: Error): string {
  const isAnswered = error instanceof ApiError && error.status !== 0
  const isRefusal = isAnswered && error.status !== 429 && error.status < 500
  return isRefusal ? messages.admin.loginFailed : adminReason(error)
}
