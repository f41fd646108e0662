/**
 * The reading of one pair: number, scale, intervals, units, domain. Every state keeps the scale in its
 * place, and one polite region says the value once.
 */
import { FIXED_INTERVAL_PKD, messages } from '@pkdex/contract'
import { type ReactNode, useRef } from 'react'
import { Note } from '#web/ui/note.tsx'
import { formatPkd, wordOf } from './affinity.ts'
import { AffinityScale } from './affinity-scale.tsx'
import type { Ask } from './ask-query.ts'
import { countCredits, creditLine } from './credit-line.ts'
import { FailureNote } from './failure-note.tsx'
import styles from './prediction-panel.module.css'
import type { Reading } from './reading.ts'
import { NoReading, ValueHero, WaitingHero } from './reading-hero.tsx'
import { ReadingStrip } from './reading-strip.tsx'
import { useReading } from './use-reading.ts'
import { UnaskedNote } from './unasked-note.tsx'
import { ValueDetails } from './value-details.tsx'
import { WaitingSteps } from './waiting-steps.tsx'

type Pair = { target: string | null; compound: string | null }

type Props = {
  pair: Pair
  /** Null until the pair has been asked: a pair that came with a link is not, it would spend a credit. */
  ask: Ask | null
  /** What one prediction costs, where the server says so. */
  price: number | null
  onAsk: () => void
  onBalanceChange: () => void
  onReturnToLogin: () => void
}

export function PredictionPanel({ pair, ask, price, onAsk, onBalanceChange, ...props }: Props) {
  const reading = useReading(ask, onBalanceChange)
  const prediction = reading.status === 'value' ? reading.prediction : null
  const summary = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  // The button that asks goes away with its note; the focus must not go with it.
  function askAndStay() {
    heading.current?.focus({ preventScroll: true })
    onAsk()
  }

  return (
    <section
      className={`sheet ${styles.panel}`}
      aria-label="Prediction"
      aria-busy={reading.status === 'waiting'}
    >
      <div ref={summary}>
        <div className={styles.head}>
          <h1 ref={heading} tabIndex={-1}>
            <PairNames pair={pair} />
          </h1>
          <span className="small">{creditLine(reading)}</span>
        </div>
        <Hero reading={reading} pair={pair} ask={ask} price={price} />
      </div>
      <AffinityScale prediction={prediction} />
      <div
        className={styles.below}
        data-spaced={reading.status === 'none' || reading.status === 'failed'}
      >
        <Below reading={reading} pair={pair} price={price} onAsk={askAndStay} {...props} />
      </div>
      <output className="visually-hidden">{announce(reading)}</output>
      <ReadingStrip reading={reading} summary={summary} />
    </section>
  )
}

function PairNames({ pair: { target, compound } }: { pair: Pair }) {
  if (target === null || compound === null) return 'Prediction'
  return (
    <>
      {target} <span className={styles.times}>×</span> {compound}
    </>
  )
}

type HeroProps = Pick<Props, 'pair' | 'ask' | 'price'> & { reading: Reading }

function Hero({ reading, pair, ask, price }: HeroProps): ReactNode {
  switch (reading.status) {
    case 'none':
      return <NoReading title="No reading yet" text={isComplete(pair) ? '' : invitation(price)} />
    case 'waiting':
      return <WaitingHero stage={reading.stage} askedAt={ask?.askedAt ?? null} />
    case 'value':
      return <ValueHero prediction={reading.prediction} />
    case 'failed':
      return <NoReading title="No reading" text="" />
  }
}

type BelowProps = Pick<Props, 'pair' | 'price' | 'onAsk' | 'onReturnToLogin'> & { reading: Reading }

function Below({ reading, pair, price, onAsk, onReturnToLogin }: BelowProps): ReactNode {
  switch (reading.status) {
    case 'none':
      return isComplete(pair) ? (
        <UnaskedNote price={price} onAsk={onAsk} />
      ) : (
        <Note tone="info">{messages.prediction.selectBoth}</Note>
      )
    case 'waiting':
      return <WaitingSteps stage={reading.stage} isOutOfReach={reading.isOutOfReach} />
    case 'value':
      return <ValueDetails prediction={reading.prediction} />
    case 'failed':
      return <FailureNote failure={reading.failure} {...{ onAsk, onReturnToLogin }} />
  }
}

function isComplete({ target, compound }: Pair): boolean {
  return target !== null && compound !== null
}

function invitation(price: number | null): string {
  const cost = price === null ? '' : ` and takes ${countCredits(price)}`
  return `Select one target and one compound. A prediction starts by itself${cost}.`
}

function announce(reading: Reading): string {
  if (reading.status !== 'value') return ''
  const { pkd } = reading.prediction
  return `pKd ${formatPkd(pkd)}, plus or minus ${FIXED_INTERVAL_PKD}, ${wordOf(pkd)}`
}
