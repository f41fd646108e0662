/** The name, progress and cost of a screen, the same on every page. */
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

/** Its name, otherwise `HIV-1 × 10 compounds` or `7 targets × 10 compounds`. */
export function titleOfScreen(screen: Screen): string {
  return screen.name ?? contentsOf(screen)
}

function contentsOf({ targets, target_count, compounds }: Screen): string {
  const [only] = targets
  const left = target_count === 1 && only ? only.name : largeCountOf(target_count, 'target')
  return `${left} × ${largeCountOf(compounds, 'compound')}`
}

/** The page of its series: a follow-up is part of the series of its screen. */
export function seriesOf({
  id,
  follow_up_of: parent,
}: Pick<Screen, 'id' | 'follow_up_of'>): string {
  return `/screens/${parent ?? id}/series`
}

export function describeCost(screen: Screen): string {
  const { name, total, known, credits_charged } = screen
  const contents = name === null ? '' : `${contentsOf(screen)}: `
  const free = known > 0 ? `, ${known.toLocaleString('en')} already predicted (free)` : ''
  return `${contents}${largeCountOf(total, 'pair')}${free}, ${largeCountOf(credits_charged, 'credit')}`
}

/** The progress of the poses, after the predictions. */
export function PoseProgress({ screen }: { screen: Screen }) {
  const { structure_done: done, structure_total: total } = screen
  if (done === null || total === null) return null
  return (
    <div className={classes.progress}>
      <progress value={done} max={Math.max(1, total)} aria-label="Compounds placed" />
      <span className="small">
        {done.toLocaleString('en')} of {total.toLocaleString('en')} placed
      </span>
    </div>
  )
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
