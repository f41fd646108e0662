/** The domain state of a pair as a mark: a full dot, a hollow one, or a grey hollow one; with its words where there is room. */
import type { DomainState } from '@pkdex/contract'
import { domainTitles } from '#web/lib/domain-states.ts'
import classes from './domain-mark.module.css'

export function DomainMark({ state }: { state: DomainState }) {
  return (
    <span className={classes.mark} data-state={state}>
      {domainTitles[state]}
    </span>
  )
}

/** What the marks mean, for maps and charts. */
export function DomainKey({ states }: { states: readonly DomainState[] }) {
  return (
    <p className={classes.key}>
      {states.map((state) => (
        <DomainMark key={state} state={state} />
      ))}
    </p>
  )
}
