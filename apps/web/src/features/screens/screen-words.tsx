/** How a screen is named, how far it has come, and what it cost, the same on every page. */
import type { Screen, ScreenStatus } from '@pkdex/contract'
import { largeCountOf } from '#web/lib/format.ts'
import classes from './screen-words.module.css'

const words: Record<ScreenStatus, string> = {
  QUEUED: 'Queued',
  RUNNING: 'Running',
  DONE: 'Done',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
}

export function statusWord(status: ScreenStatus): string {
  return words[status]
}

/** `HIV-1 × 10 compounds`, `7 targets × 10 compounds`. */
export function titleOfScreen({ targets, compounds }: Screen): string {
  const [only] = targets
  const left = targets.length === 1 && only ? only.name : largeCountOf(targets.length, 'target')
  return `${left} × ${largeCountOf(compounds, 'compound')}`
}

export function describeCost({ total, known, credits_charged }: Screen): string {
  const free = known > 0 ? `, ${known.toLocaleString('en')} known before and free` : ''
  return `${largeCountOf(total, 'pair')}${free}, ${largeCountOf(credits_charged, 'credit')}`
}

export function ProgressBar({ screen }: { screen: Screen }) {
  const { done, total, status } = screen
  return (
    <div className={classes.progress}>
      <progress
        value={done}
        max={Math.max(1, total)}
        aria-label={`Pairs predicted, ${statusWord(status).toLowerCase()}`}
      />
      <span className="small">
        {done.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
    </div>
  )
}
