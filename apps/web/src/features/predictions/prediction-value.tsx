/** The top of the panel: the number, the shape of the number to come, or an empty well; and how far the prediction has come. */
import { FIXED_INTERVAL_PKD } from '@pkdex/contract'
import { useEffect, useState } from 'react'
import { Mark } from '#web/ui/logo.tsx'
import { Note } from '#web/ui/note.tsx'
import { formatPkd, wordOf } from '#web/lib/affinity.ts'
import type { Prediction, Stage } from './prediction-state.ts'
import classes from './prediction-value.module.css'

type PredictedValueProps = {
  prediction: Prediction
  /** The chain whose sequence the model was given, in words. */
  usedChain: string | null
}

/** The number, said once, and what it was made of. */
export function PredictedValue({ prediction: { pkd, details }, usedChain }: PredictedValueProps) {
  const isOutside = details !== null && !details.domain.is_inside
  return (
    <>
      <div className={classes.reading} data-outside={isOutside}>
        <p>
          pKd = <strong className={classes.value}>{formatPkd(pkd)}</strong> ± {FIXED_INTERVAL_PKD}
        </p>
        <span>{bindingWords[wordOf(pkd)]}</span>
      </div>
      <p className={`small ${classes.made}`}>
        Made from the observed sequence of {usedChain ?? 'the chosen chain'} and the compound’s 2D
        structure. <b>Not used: pocket, ligand, pose, stereochemistry.</b>
      </p>
    </>
  )
}

const bindingWords = {
  weak: 'Weak binding',
  moderate: 'Moderate binding',
  strong: 'Strong binding',
} as const

const stageWords: Record<Stage, string> = { Queued: 'Queued for', Running: 'Running for' }

export function ValueToCome({ stage, requestedAt }: { stage: Stage; requestedAt: number | null }) {
  const elapsed = useElapsedTime(requestedAt)
  return (
    <div className={classes.head}>
      <div className={classes.skeleton} />
      <div className={classes.equation}>
        <b className={classes.predicting}>
          <span className={classes.ring} aria-hidden="true" />
          Predicting
        </b>
        <span>{elapsed === null ? stage : `${stageWords[stage]} ${elapsed}`}</span>
      </div>
    </div>
  )
}

export function NoValue({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.empty}>
      <Mark size={84} isEmpty />
      <div>
        <p className={classes.title}>{title}</p>
        {text !== '' && <p className="quiet">{text}</p>}
      </div>
    </div>
  )
}

const steps = ['Queued', 'Running', 'Reading'] as const

/** How far a prediction has come. Drawn only; a screen reader hears the value when it is there. */
export function WaitingSteps({ stage, isOutOfReach }: { stage: Stage; isOutOfReach: boolean }) {
  const now = steps.indexOf(stage)
  return (
    <>
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step} data-done={index < now} aria-current={index === now ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </ol>
      {isOutOfReach && (
        <Note tone="warning" title="The server does not answer">
          The prediction goes on there. This page keeps asking.
        </Note>
      )}
      <p className={`quiet small ${classes.leave}`}>
        You may leave this page. Asking for this pair again costs nothing.
      </p>
    </>
  )
}

const SECOND_MS = 1000

/** How long something has taken, told again every second: `3 s`, `2 min 5 s`. */
function useElapsedTime(since: number | null): string | null {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  if (since === null) return null
  const seconds = Math.max(0, Math.floor((now - since) / SECOND_MS))
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`
}
