/** On or off, said in a word beside it. */
import type { ComponentProps } from 'react'
import classes from './switch.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'role'> & { label: string }

export function Switch({ label, ...input }: Props) {
  return (
    <label className={classes.switch}>
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox tells its own state */}
      <input {...input} type="checkbox" role="switch" />
      {label}
    </label>
  )
}
