/**
 * The prediction of one pair: value, scale, intervals, units, domain. The scale stays in place in
 * every state, and one polite region announces the value once.
 */
import { Box } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import { FIXED_INTERVAL_PKD, messages, type PredictionResult } from '@pkdex/contract'
import { type ReactNode, type RefObject, useRef } from 'react'
import { Note } from '#web/ui/note.tsx'
import { AffinityScale } from './affinity-scale.tsx'
import { formatPkd, wordOf } from '#web/lib/affinity.ts'
import classes from './prediction-panel.module.css'
import type { PredictionRequest } from './prediction-queries.ts'
import {
  countCredits,
  creditLine,
  type Prediction,
  type PredictionState,
  usePredictionState,
} from './prediction-state.ts'
import { PredictionStrip } from './prediction-strip.tsx'
import { NoValue, PredictedValue, ValueToCome, WaitingSteps } from './prediction-value.tsx'
import { type CompoundSize, ValueDetails } from './value-details.tsx'

type Pair = { target: string | null; compound: string | null }

type Props = {
  pair: Pair
  /** Null until the prediction is requested. A pair from a link is not, because that would use a credit. */
  request: PredictionRequest | null
  /** Of the selected compound; null until it is known. */
  size: CompoundSize | null
  /** Credits per prediction; null if the server does not say. */
  price: number | null
  /** The request and its error were cleared. */
  isCleared: boolean
  /** The page already says that the key was refused. */
  isRefusalTold: boolean
  /** Adds a measured value to the pair. */
  addValue: ReactNode
  /** Evidence, shown below the prediction. */
  evidence: (request: PredictionRequest, details: PredictionResult | null) => ReactNode
  onRequest: () => void
  onTryAgain: () => void
  onBalanceChange: () => void
  onReturnToLogin: () => void
}

export function PredictionPanel({
  pair,
  request,
  size,
  price,
  evidence,
  onRequest,
  onTryAgain,
  onBalanceChange,
  ...props
}: Props) {
  const state = usePredictionState(request, onBalanceChange)
  const heading = useRef<HTMLHeadingElement>(null)

  // The button disappears with its note, so the focus is moved.
  function keepFocus(then: () => void) {
    heading.current?.focus({ preventScroll: true })
    then()
  }

  return (
    <Panel
      pair={pair}
      state={state}
      heading={heading}
      value={<ValueArea {...{ state, pair, request, price }} />}
      evidence={state.status === 'value' && request && evidence(request, state.prediction.details)}
    >
      <DetailsArea
        state={state}
        pair={pair}
        price={price}
        size={size}
        onRequest={() => keepFocus(onRequest)}
        onTryAgain={() => keepFocus(onTryAgain)}
        {...props}
      />
    </Panel>
  )
}

type KnownProps = {
  pair: Pair
  prediction: Prediction
  size: CompoundSize | null
  addValue: ReactNode
  evidence: ReactNode
}

/** An existing prediction, shown without a request. */
export function KnownPrediction({ pair, prediction, size, addValue, evidence }: KnownProps) {
  const state = { status: 'value', prediction, cost: null, returned: 0 } as const
  const value = <PredictedValue prediction={prediction} />
  return (
    <Panel {...{ pair, state, value, evidence }}>
      <ValueDetails target={pair.target} {...{ prediction, size, addValue }} />
    </Panel>
  )
}

/** While it is unknown whether the pair has a prediction, or whether its names exist. */
export function PredictionToCome({ pair }: { pair: Pair }) {
  const value = <NoValue title="No prediction yet" text="" />
  return <Panel {...{ pair, value }} state={{ status: 'none' }} evidence={null} isOfPair />
}

type PanelProps = {
  pair: Pair
  state: PredictionState
  heading?: RefObject<HTMLHeadingElement | null>
  value: ReactNode
  evidence: ReactNode
  /** Reserves the space of a prediction, also before the names are known. */
  isOfPair?: boolean
  children?: ReactNode
}

function Panel({ pair, state, heading, value, evidence, ...props }: PanelProps) {
  const { isOfPair = isComplete(pair), children } = props
  const prediction = state.status === 'value' ? state.prediction : null
  const summary = useRef<HTMLDivElement>(null)
  return (
    <section
      className={`sheet ${classes.panel}`}
      aria-label="Prediction"
      data-full={isOfPair}
      aria-busy={state.status === 'waiting'}
    >
      <div ref={summary}>
        <div className={classes.head}>
          <h1 ref={heading} tabIndex={-1}>
            <PairNames pair={pair} />
          </h1>
          <span className="small">{creditLine(state)}</span>
        </div>
        {value}
      </div>
      <AffinityScale prediction={prediction} />
      <div
        className={classes.below}
        data-spaced={state.status === 'none' || state.status === 'failed'}
      >
        {children}
      </div>
      {evidence}
      <output className="visually-hidden">{announce(state)}</output>
      <PredictionStrip state={state} summary={summary} />
    </section>
  )
}

function PairNames({ pair: { target, compound } }: { pair: Pair }) {
  if (target === null || compound === null) return 'Prediction'
  return (
    <>
      {target}{' '}
      <Box component="span" px={4} c="var(--ink-3)" fw={400}>
        ×
      </Box>{' '}
      {compound}
    </>
  )
}

type ValueAreaProps = Pick<Props, 'pair' | 'request' | 'price'> & {
  state: PredictionState
}

function ValueArea({ state, pair, request, price }: ValueAreaProps): ReactNode {
  switch (state.status) {
    case 'none':
      return <NoValue title="No prediction yet" text={isComplete(pair) ? '' : invitation(price)} />
    case 'waiting':
      return <ValueToCome stage={state.stage} requestedAt={request?.requestedAt ?? null} />
    case 'value':
      return <PredictedValue prediction={state.prediction} />
    case 'failed':
      return <NoValue title="No prediction" text="" />
  }
}

type DetailsAreaProps = Omit<Props, 'request' | 'evidence' | 'onBalanceChange'> & {
  state: PredictionState
}

function DetailsArea({
  state,
  pair,
  price,
  size,
  addValue,
  isCleared,
  isRefusalTold,
  onRequest,
  onTryAgain,
  onReturnToLogin,
}: DetailsAreaProps): ReactNode {
  switch (state.status) {
    case 'none':
      return isComplete(pair) ? (
        <UnrequestedPairNote {...{ price, isCleared, onRequest }} />
      ) : (
        <Note tone="info">{messages.prediction.selectBoth}</Note>
      )
    case 'waiting':
      return <WaitingSteps stage={state.stage} isOutOfReach={state.isOutOfReach} />
    case 'value':
      return (
        <ValueDetails prediction={state.prediction} target={pair.target} {...{ size, addValue }} />
      )
    case 'failed':
      if (isRefusalTold && state.failure.remedy === 'sign in') return null
      return <FailureNote failure={state.failure} {...{ onTryAgain, onReturnToLogin }} />
  }
}

function isComplete({ target, compound }: Pair): boolean {
  return target !== null && compound !== null
}

function invitation(price: number | null): string {
  const cost = price === null ? '' : ` and costs ${countCredits(price)}`
  return `Select one target and one compound. A prediction starts automatically${cost}.`
}

function announce(state: PredictionState): string {
  if (state.status !== 'value') return ''
  const { pkd } = state.prediction
  return `pKd ${formatPkd(pkd)}, plus or minus ${FIXED_INTERVAL_PKD}, ${wordOf(pkd)}`
}

type UnrequestedPairProps = Pick<Props, 'price' | 'isCleared' | 'onRequest'>

/** A pair from a link, or whose request was cleared: requested only by the button, because it may cost a credit. */
function UnrequestedPairNote({ price, isCleared, onRequest }: UnrequestedPairProps) {
  const cost = price === null ? 'Free' : `Costs ${countCredits(price)}; free`
  return (
    <Note
      tone="info"
      title={isCleared ? 'Not predicted yet' : 'This pair came with a link'}
      action={<Button onClick={onRequest}>Predict</Button>}
    >
      {`${cost} if already predicted.`}
    </Note>
  )
}

type FailureNoteProps = {
  failure: Extract<PredictionState, { status: 'failed' }>['failure']
  onTryAgain: () => void
  onReturnToLogin: () => void
}

/** Why a prediction failed, and what to do. */
function FailureNote({ failure, onTryAgain, onReturnToLogin }: FailureNoteProps) {
  const { title, message, remedy } = failure
  const action =
    remedy === 'sign in' ? (
      <Button variant="default" onClick={onReturnToLogin}>
        {messages.results.returnToLogin}
      </Button>
    ) : (
      <Button variant="default" onClick={onTryAgain}>
        Try Again
      </Button>
    )
  return (
    <Note tone="failure" title={title} action={action}>
      {message}
    </Note>
  )
}
