/** Checks a form with a schema of the contract; from the first try to send on, each refused field says what is wrong. */
import { type SyntheticEvent, useState } from 'react'
import { z } from 'zod'
import { focusFirstError } from './field.tsx'

/** What is used of a schema of zod. */
export type Schema<Body> = {
  safeParse: (
    fields: unknown,
  ) => { success: true; data: Body } | { success: false; error: { issues: Issue[] } }
}
type Issue = { path: readonly PropertyKey[]; message: string }

/** A checkbox or switch, which a form sends only while it is on. */
export const ticked = z
  .string()
  .optional()
  .transform((sent) => sent !== undefined)

type FormOptions<Body> = {
  /** What is wrong with a field, where the schema does not say it in words for the page. */
  says?: Partial<Record<string, string>> | undefined
  /** Called with the checked fields unless a request is still running. */
  send: (body: Body, form: HTMLFormElement) => void
  isBusy: boolean
}

type FormEvent = SyntheticEvent<HTMLFormElement>

export function useForm<Body>(
  schema: Schema<Body>,
  { says = {}, send, isBusy }: FormOptions<Body>,
) {
  const [refused, setRefused] = useState<Issue[] | null>(null)

  function check(form: HTMLFormElement) {
    const checked = schema.safeParse(Object.fromEntries(new FormData(form)))
    setRefused(checked.success ? null : checked.error.issues)
    return checked
  }

  return {
    props: {
      noValidate: true,
      onSubmit(event: FormEvent) {
        event.preventDefault()
        // A form around a dialog in the code is not around it on the page.
        event.stopPropagation()
        const form = event.currentTarget
        const checked = check(form)
        if (!checked.success) focusFirstError(form)
        else if (!isBusy) send(checked.data, form)
      },
      onChange({ currentTarget }: FormEvent) {
        if (refused !== null) check(currentTarget)
      },
    },
    field: (name: string): NamedField => {
      const issue = refused?.find(({ path }) => path[0] === name)
      return { name, error: issue && (says[name] ?? issue.message) }
    },
  }
}

export type NamedField = { name: string; error: string | undefined }
