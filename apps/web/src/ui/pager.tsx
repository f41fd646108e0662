/** Which rows are shown, and links to the other pages. */
import { UnstyledButton } from '@mantine/core'
import { Link } from 'react-router'
import { ToolIcon } from './tool-icon.tsx'
import classes from './pager.module.css'

type Props = {
  /** Names the navigation for assistive technology. */
  label: string
  page: number
  pageSize: number
  total: number
  /** The address of a page, as a search string. */
  hrefOf: (page: number) => string
}

export function Pager({ label, page, pageSize, total, hrefOf }: Props) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  const first = Math.min(total, (page - 1) * pageSize + 1)
  return (
    <nav className={classes.bar} aria-label={label}>
      <span className="quiet small">
        {`${count(first)}–${count(Math.min(total, page * pageSize))} of ${count(total)}`}
      </span>
      {last > 1 && (
        <div className={classes.pages}>
          <Step name="Previous page" icon="back" to={page > 1 ? hrefOf(page - 1) : null} />
          {visiblePages(page, last).map((number, index, shown) => (
            <span key={number} className={classes.place}>
              {index > 0 && number - (shown[index - 1] ?? 0) > 1 && <Gap />}
              <UnstyledButton
                component={Link}
                className={classes.page}
                data-far={Math.abs(number - page) > 0 && number !== 1 && number !== last}
                to={hrefOf(number)}
                aria-label={`Page ${count(number)}`}
                aria-current={number === page ? 'page' : undefined}
              >
                {count(number)}
              </UnstyledButton>
            </span>
          ))}
          <Step name="Next page" icon="forward" to={page < last ? hrefOf(page + 1) : null} />
        </div>
      )}
    </nav>
  )
}

/** The first page, the last, and the neighbours of the current one; at either end one more, so that the row keeps its length. */
export function visiblePages(page: number, last: number): number[] {
  const reach = page === 1 || page === last ? 2 : 1
  const near = Array.from({ length: 2 * reach + 1 }, (_, index) => page - reach + index)
  const numbers = new Set([1, ...near, last].filter((number) => number >= 1 && number <= last))
  return [...numbers].toSorted((a, b) => a - b)
}

type StepProps = { name: string; icon: 'back' | 'forward'; to: string | null }

function Step({ name, icon, to }: StepProps) {
  if (to === null) {
    return (
      <span className={classes.page} data-off="true" aria-hidden="true">
        <ToolIcon name={icon} />
      </span>
    )
  }
  return (
    <UnstyledButton component={Link} className={classes.page} to={to} aria-label={name}>
      <ToolIcon name={icon} />
    </UnstyledButton>
  )
}

function Gap() {
  return (
    <span className="faint" aria-hidden="true">
      …
    </span>
  )
}

function count(number: number): string {
  return number.toLocaleString('en')
}
