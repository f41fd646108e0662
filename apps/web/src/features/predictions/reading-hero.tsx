/** The top of the panel: the number, the shape of the number to come, or an empty well. */
import { FIXED_INTERVAL_PKD } from '@pkdex/contract'
import { Mark } from '#web/ui/logo.tsx'
import { formatPkd, wordOf } from './affinity.ts'
import type { Prediction, Stage } from './reading.ts'
import styles from './reading-hero.module.css'
import { useElapsedTime } from './use-elapsed-time.ts'

export function ValueHero({ prediction: { pkd, details } }: { prediction: Prediction }) {
  const isOutside = details !== null && !details.domain.is_inside
  return (
    <div className={styles.hero} data-outside={isOutside}>
      <div className={styles.value}>{formatPkd(pkd)}</div>
      <div className={styles.equation}>
        <b>{`pKd = ${formatPkd(pkd)} ± ${FIXED_INTERVAL_PKD}`}</b>
        <span>{bindingWords[wordOf(pkd)]}</span>
      </div>
    </div>
  )
}

const bindingWords = {
  weak: 'Weak binding',
  moderate: 'Moderate binding',
  strong: 'Strong binding',
} as const

const stageWords: Record<Stage, string> = { Queued: 'Queued for', Running: 'Running for' }

export function WaitingHero({ stage, askedAt }: { stage: Stage; askedAt: number | null }) {
  const elapsed = useElapsedTime(askedAt)
  return (
    <div className={styles.hero}>
      <div className={styles.skeleton} />
      <div className={styles.equation}>
        <b className={styles.predicting}>
          <span className={styles.ring} aria-hidden="true" />
          Predicting
        </b>
        <span>{elapsed === null ? stage : `${stageWords[stage]} ${elapsed}`}</span>
      </div>
    </div>
  )
}

export function NoReading({ title, text }: { title: string; text: string }) {
  return (
    <div className={styles.empty}>
      <Mark size={84} isEmpty />
      <div>
        <p className={styles.title}>{title}</p>
        {text !== '' && <p className="quiet">{text}</p>}
      </div>
    </div>
  )
}
