/** The form for a new key: its name and daily limit. */
import { type SubmitEvent, useRef, useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Field, focusFirstError } from '#web/ui/field.tsx'
import classes from './key-form.module.css'

type Props = {
  isBusy: boolean
  onMake: (wanted: { name: string; calls_per_day: number | null }) => void
}

export function KeyForm({ isBusy, onMake }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [name, setName] = useState('')
  const [bound, setBound] = useState('')
  const [isTold, setIsTold] = useState(false)
  const calls = bound.trim() === '' ? null : Number(bound)
  const nameError = name.trim() === '' ? 'Enter a name.' : undefined
  const boundError =
    calls !== null && (!Number.isInteger(calls) || calls < 1)
      ? 'Enter a whole number of 1 or more, or leave empty.'
      : undefined

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsTold(true)
    if (nameError === undefined && boundError === undefined) {
      onMake({ name: name.trim(), calls_per_day: calls })
    } else focusFirstError(form.current)
  }

  return (
    <form ref={form} className={classes.form} noValidate onSubmit={submit}>
      <Field
        label="Name"
        maxLength={80}
        value={name}
        hint="For example, the script that uses it."
        error={isTold ? nameError : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Field
        label="Daily call limit"
        inputMode="numeric"
        value={bound}
        hint="Leave empty for no limit."
        error={isTold ? boundError : undefined}
        onChange={({ currentTarget }) => setBound(currentTarget.value)}
      />
      <Button type="submit" loading={isBusy}>
        Create API key
      </Button>
    </form>
  )
}
