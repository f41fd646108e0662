/** A labelled input with its hint and what is wrong with it; the browser's own bubbles stay away. */
import { type ComponentProps, useId } from 'react'
import classes from './field.module.css'

type Props = Omit<ComponentProps<'input'>, 'id'> & {
  label: string
  hint?: string | undefined
  error?: string | undefined
}

export function Field({ label, hint, error, ...input }: Props) {
  const id = useId()
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={classes.input}
        aria-invalid={error !== undefined}
        aria-describedby={notes.filter(Boolean).join(' ') || undefined}
      />
      {error !== undefined && (
        <span id={`${id}-error`} className={classes.error}>
          {error}
        </span>
      )}
      {hint !== undefined && (
        <span id={`${id}-hint`} className={classes.hint}>
          {hint}
        </span>
      )}
    </div>
  )
}

/** Moves the focus to the first field that is marked as wrong, once it has been drawn so. */
export function focusFirstError(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
