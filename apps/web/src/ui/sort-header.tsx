/** The head of a column that sorts: a button, an arrow, and `aria-sort`. */
import { ToolIcon } from './tool-icon.tsx'
import classes from './sort-header.module.css'

type Props = {
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

export function SortHeader({ label, order, className, onSort }: Props) {
  const state = order === null ? null : states[order]
  return (
    <th scope="col" className={className} aria-sort={state?.aria}>
      <button type="button" className={classes.sort} onClick={onSort}>
        {label}
        <ToolIcon name={state?.icon ?? 'unsorted'} size={14} />
      </button>
    </th>
  )
}
