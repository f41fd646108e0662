/**
 * On a phone the lists lie below the reading, so selecting there would change a number out of sight. This
 * strip at the foot of the screen repeats it and leads back; it is gone while the number itself is in sight.
 */
import { FIXED_INTERVAL_PKD } from '@pkdex/contract'
import type { RefObject } from 'react'
import { formatPkd, wordOf } from './affinity.ts'
import type { Reading } from './reading.ts'
import styles from './reading-strip.module.css'
import { useIsOutOfSight } from './use-is-out-of-sight.ts'

type Props = { reading: Reading; summary: RefObject<HTMLElement | null> }

export function ReadingStrip({ reading, summary }: Props) {
  const isOutOfSight = useIsOutOfSight(summary)
  if (!isOutOfSight || reading.status === 'none') return null
  return (
    <button
      type="button"
      className={styles.strip}
      onClick={() => summary.current?.scrollIntoView({ block: 'center' })}
    >
      <span>{summarise(reading)}</span>
      <span className={styles.show}>Show</span>
    </button>
  )
}

function summarise(reading: Exclude<Reading, { status: 'none' }>) {
  switch (reading.status) {
    case 'waiting':
      return 'Predicting'
    case 'failed':
      return reading.failure.title
    case 'value': {
      const { pkd } = reading.prediction
      return (
        <>
          <b>{formatPkd(pkd)}</b> ± {FIXED_INTERVAL_PKD}, {wordOf(pkd)}
        </>
      )
    }
  }
}
