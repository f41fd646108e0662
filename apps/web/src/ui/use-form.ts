/** Checks a form with a schema of the contract; from the first try to send on, each refused field says what is wrong. */
import { type SyntheticEvent, useState } from 'react'
import { focusFirstError } from './field.tsx'

/** What is used of a schema of zod. */
type Schema<Body> = {
  safeParse: (
    fields: unknown,
  ) => { success: true; data: Body } | { success: false; error: { issues: Issue[] } }
}
type Issue = { path: readonly PropertyKey[] }

type FormOptions<Body> = {
  /** What is wrong, for each field that the schema can refuse. */
  says: Partial<Record<string, string>>
  /** Called with the checked fields unless a request is still running. */
  send: (body: Body, form: HTMLFormElement) => void
  isBusy: boolean
}

type FormEvent = SyntheticEvent<HTMLFormElement>

export function useForm<Body>(schema: Schema<Body>, { says, send, isBusy }: FormOptions<Body>) {
  const [refused, setRefused] = useState<PropertyKey[] | null>(null)

  function check(form: HTMLFormElement) {
    const checked = schema.safeParse(Object.fromEntries(new FormData(form)))
    setRefused(checked.success ? null : checked.error.issues.map(({ path }) => path[0] ?? ''))
    return checked
  }

  return {
    props: {
      noValidate: true,
      onSubmit(event: FormEvent) {
        event.preventDefault()
        const form = event.currentTarget
        const checked = check(form)
        if (!checked.success) focusFirstError(form)
        else if (!isBusy) send(checked.data, form)
      },
      onChange({ currentTarget }: FormEvent) {
        if (refused !== null) check(currentTarget)
      },
    },
    field: (name: string) => ({ name, error: refused?.includes(name) ? says[name] : undefined }),
  }
}
