/** Shared parts of the admin tables, for table.module.css: sortable headings, row selection, and the active state. */
import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ToolIcon } from './tool-icon.tsx'
import classes from './table.module.css'

type SortProps = {
  label: string
  /** Null while another column is sorted. */
  order: 'asc' | 'desc' | null
  className?: string | undefined
  /** Shown next to the button. */
  after?: ReactNode
  onSort: () => void
}

const states = {
  asc: { aria: 'ascending', icon: 'ascending' },
  desc: { aria: 'descending', icon: 'descending' },
} as const

/** A heading with a button, an arrow, and `aria-sort`. */
export function SortHeader({ label, order, className, after, onSort }: SortProps) {
  const state = order === null ? null : states[order]
  return (
    <th scope="col" className={className} aria-sort={state?.aria}>
      <UnstyledButton className={classes.sort} onClick={onSort}>
        {label}
        <ToolIcon name={state?.icon ?? 'unsorted'} size={14} />
      </UnstyledButton>
      {after}
    </th>
  )
}

type ChoiceProps = { label: string; isChosen: boolean; onChoose: (isChosen: boolean) => void }

/** A checkbox for one row or for all; large enough for a finger. */
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

/** A filled or hollow dot, and the word. */
export function StatusDot({ isOn, children }: { isOn: boolean; children: string }) {
  return (
    <span className={classes.status} data-on={isOn}>
      {children}
    </span>
  )
}
