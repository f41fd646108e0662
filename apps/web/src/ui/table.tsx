/** What the tables of the admin area have in common, beside table.module.css: heads that sort, rows that are chosen, and on or off. */
import { UnstyledButton } from '@mantine/core'
import { ToolIcon } from './tool-icon.tsx'
import classes from './table.module.css'

type SortProps = {
  label: string
  /** Null while another column sorts. */
  order: 'asc' | 'desc' | null
  className?: string | undefined
  onSort: () => void
}

const states = {
  asc: { aria: 'ascending', icon: 'ascending' },
  desc: { aria: 'descending', icon: 'descending' },
} as const

/** A button, an arrow, and `aria-sort`. */
export function SortHeader({ label, order, className, onSort }: SortProps) {
  const state = order === null ? null : states[order]
  return (
    <th scope="col" className={className} aria-sort={state?.aria}>
      <UnstyledButton className={classes.sort} onClick={onSort}>
        {label}
        <ToolIcon name={state?.icon ?? 'unsorted'} size={14} />
      </UnstyledButton>
    </th>
  )
}

type ChoiceProps = { label: string; isChosen: boolean; onChoose: (isChosen: boolean) => void }

/** A box for a row, or for all of them; as large as a finger. */
export function RowChoice({ label, isChosen, onChoose }: ChoiceProps) {
  return (
    <input
      type="checkbox"
      className={classes.choice}
      aria-label={label}
      checked={isChosen}
      onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
    />
  )
}

/** A filled or a hollow dot, and the word. */
export function StatusDot({ isOn, children }: { isOn: boolean; children: string }) {
  return (
    <span className={classes.status} data-on={isOn}>
      {children}
    </span>
  )
}
