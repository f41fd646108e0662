/** The top of the panel: the value, a placeholder for it, or an empty state; and the progress of a prediction. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import { type ExactMeasurement, FIXED_INTERVAL_PKD, type PredictionResult } from '@pkdex/contract'
import { useEffect, useState } from 'react'
import { Mark } from '#web/ui/logo.tsx'
import { Diamond } from '#web/ui/measured-mark.tsx'
import { Note } from '#web/ui/note.tsx'
import { SpinnerRing } from '#web/ui/spinner.tsx'
import { formatPkd, wordOf } from '#web/lib/affinity.ts'
import { useViewing } from '#web/lib/viewing.tsx'
import { domainStateOf } from './domain-line.tsx'
import type { Prediction, Stage } from './prediction-state.ts'
import classes from './prediction-value.module.css'

/** The value measured for exactly this pair, then the prediction. The large number repeats the line next to it. */
export function PredictedValue({ prediction }: { prediction: Prediction }) {
  const { pkd, details } = prediction
  const isOutside = details !== null && domainStateOf(details) === 'outside'
  return (
    <>
      <Measured values={details?.exact_measurements ?? []} />
      <div className={classes.reading} data-outside={isOutside}>
        <strong className={classes.value} aria-hidden="true">
          {formatPkd(pkd)}
        </strong>
        <Stack className={classes.equation} gap={2}>
          <p>
            pKd = {formatPkd(pkd)} ± {FIXED_INTERVAL_PKD}
          </p>
          <span>{`${titleOf(details)}, ${wordOf(pkd)} binding`}</span>
        </Stack>
      </div>
    </>
  )
}

/** A prediction that nothing has moved is only that. */
function titleOf(details: PredictionResult | null): string {
  const { pose, own_values: count = 0 } = details?.best_estimate ?? {}
  return pose !== undefined || count > 0 ? 'Best estimate' : 'Predicted'
}

function Measured({ values: [first] }: { values: readonly ExactMeasurement[] }) {
  const viewing = useViewing()
  if (first === undefined) return <NotMeasured />
  const { pk, bound, types, source, count, spread } = first
  const several = spread === undefined ? '' : `, ± ${spread.toFixed(2)}, n = ${count}`
  const sign = bound === null ? '' : bound === 'upper' ? '< ' : '> '
  const whose = viewing === null ? 'yours' : `by ${viewing.owner}`
  const kinds = types.length === 0 ? '' : `${types.map((type) => `p${type}`).join(' or ')}, `
  return (
    <p className={classes.measured}>
      <Diamond />
      <b>
        Measured: {sign}
        {formatPkd(pk)}
      </b>
      <span>{`${kinds}${source === 'own' ? whose : 'training data'}${several}`}</span>
    </p>
  )
}

/** Reserves the line of a measured value, which appears with the prediction. */
function NotMeasured() {
  return <div className={classes.measured} />
}

const stageWords: Record<Stage, string> = { Queued: 'Queued for', Running: 'Running for' }

export function ValueToCome({ stage, requestedAt }: { stage: Stage; requestedAt: number | null }) {
  const elapsed = useElapsedTime(requestedAt)
  return (
    <>
      <NotMeasured />
      <Flex className={classes.head} wrap="wrap" align="flex-end" mt={10} mb="sm">
        <div className={classes.skeleton} />
        <Stack className={classes.equation} gap={2}>
          <b className={classes.predicting}>
            <SpinnerRing />
            Predicting
          </b>
          <span>{elapsed === null ? stage : `${stageWords[stage]} ${elapsed}`}</span>
        </Stack>
      </Flex>
    </>
  )
}

export function NoValue({ title, text }: { title: string; text: string }) {
  return (
    <>
      <NotMeasured />
      <Flex className={classes.empty} wrap="wrap" align="center" mih="4.5rem" mt={10} mb="sm">
        <Mark size={84} isEmpty />
        <div>
          <Box component="p" fz="xl" fw={500} lh="1.3">
            {title}
          </Box>
          {text !== '' && <p className="quiet">{text}</p>}
        </div>
      </Flex>
    </>
  )
}

const steps = ['Queued', 'Running', 'Done'] as const

/** The progress of a prediction. Visual only; screen readers get the value once it is there. */
export function WaitingSteps({ stage, isOutOfReach }: { stage: Stage; isOutOfReach: boolean }) {
  const now = steps.indexOf(stage)
  return (
    <>
      <Flex component="ol" className={classes.steps} gap="xs" mt={20} mb="md">
        {steps.map((step, index) => (
          <li key={step} data-done={index < now} aria-current={index === now ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </Flex>
      {isOutOfReach && (
        <Note tone="warning" title="Connection lost">
          The prediction is still running. Retrying.
        </Note>
      )}
      <Box className="quiet small" component="p" mt="auto" pt={14}>
        You can leave this page. Opening this pair again is free.
      </Box>
    </>
  )
}

const SECOND_MS = 1000

/** Elapsed time, updated every second: `3 s`, `2 min 5 s`. */
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
