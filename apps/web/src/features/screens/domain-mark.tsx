/** The domain state of a pair: a full dot, a hollow one, or a grey hollow one; with a label if there is room. */
import { Flex } from '#web/ui/layout.ts'
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

/** The legend of the marks, for maps and charts. */
export function DomainKey({ states }: { states: readonly DomainState[] }) {
  return (
    <Flex component="p" wrap="wrap" rowGap="var(--s-1)" columnGap="md" c="var(--ink-2)" fz="sm">
      {states.map((state) => (
        <DomainMark key={state} state={state} />
      ))}
    </Flex>
  )
}
