/**
 * On a phone the value is above the lists and may be out of view. This strip at the bottom of the
 * screen repeats it and links to it; it is hidden while the value is in view.
 */
import { FIXED_INTERVAL_PKD } from '@pkdex/contract'
import { type RefObject, useEffect, useState } from 'react'
import { UnstyledButton } from '#web/ui/button.ts'
import { formatPkd, wordOf } from '#web/lib/affinity.ts'
import type { PredictionState } from './prediction-state.ts'
import classes from './prediction-strip.module.css'

type Props = { state: PredictionState; summary: RefObject<HTMLElement | null> }

export function PredictionStrip({ state, summary }: Props) {
  const isOutOfSight = useIsOutOfSight(summary)
  if (!isOutOfSight || state.status === 'none') return null
  return (
    <UnstyledButton
      className={classes.strip}
      onClick={() => summary.current?.scrollIntoView({ block: 'center' })}
    >
      <span>{summarise(state)}</span>
      <span className={classes.show}>Show</span>
    </UnstyledButton>
  )
}

function summarise(state: Exclude<PredictionState, { status: 'none' }>) {
  switch (state.status) {
    case 'waiting':
      return 'Predicting'
    case 'failed':
      return state.failure.title
    case 'value': {
      const { pkd } = state.prediction
      return (
        <>
          <b>{formatPkd(pkd)}</b> ± {FIXED_INTERVAL_PKD}, {wordOf(pkd)}
        </>
      )
    }
  }
}

/** Whether an element has been scrolled out of the window. */
function useIsOutOfSight(element: RefObject<Element | null>): boolean {
  const [isOutOfSight, setIsOutOfSight] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1)
      if (last) setIsOutOfSight(!last.isIntersecting)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isOutOfSight
}
