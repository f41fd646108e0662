/**
 * The prediction for one pair: number, scale, intervals, units, domain. Every state keeps the scale in its
 * place, and one polite region says the value once.
 */
import { Button } from '#web/ui/button.ts'
import { FIXED_INTERVAL_PKD, messages } from '@pkdex/contract'
import { type ReactNode, useRef } from 'react'
import { Note } from '#web/ui/note.tsx'
import { AffinityScale } from './affinity-scale.tsx'
import { formatPkd, wordOf } from '#web/lib/affinity.ts'
import classes from './prediction-panel.module.css'
import type { PredictionRequest } from './prediction-queries.ts'
import {
  countCredits,
  creditLine,
  type PredictionState,
  usePredictionState,
} from './prediction-state.ts'
import { PredictionStrip } from './prediction-strip.tsx'
import { NoValue, PredictedValue, ValueToCome, WaitingSteps } from './prediction-value.tsx'
import { ValueDetails } from './value-details.tsx'

type Pair = { target: string | null; compound: string | null }

type Props = {
  pair: Pair
  /** Null until the prediction has been requested: a pair that came with a link is not, it would spend a credit. */
  request: PredictionRequest | null
  /** The chain of the target that predictions use, in words; null while that is not known. */
  usedChain: string | null
  /** What one prediction costs, where the server says so. */
  price: number | null
  /** The request was taken back, with its error. */
  isCleared: boolean
  /** The page says already that the key is refused. */
  isRefusalTold: boolean
  /** What the number rests on; stands under it as long as there is one. */
  evidence: (request: PredictionRequest) => ReactNode
  onRequest: () => void
  onTryAgain: () => void
  onBalanceChange: () => void
  onReturnToLogin: () => void
}

export function PredictionPanel({
  pair,
  request,
  usedChain,
  price,
  evidence,
  onRequest,
  onTryAgain,
  onBalanceChange,
  ...props
}: Props) {
  const state = usePredictionState(request, onBalanceChange)
  const prediction = state.status === 'value' ? state.prediction : null
  const summary = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  // The button that requests goes away with its note; the focus must not go with it.
  function keepFocus(then: () => void) {
    heading.current?.focus({ preventScroll: true })
    then()
  }

  return (
    <section
      className={`sheet ${classes.panel}`}
      aria-label="Prediction"
      aria-busy={state.status === 'waiting'}
    >
      <div ref={summary}>
        <div className={classes.head}>
          <h1 ref={heading} tabIndex={-1}>
            <PairNames pair={pair} />
          </h1>
          <span className="small">{creditLine(state)}</span>
        </div>
        <ValueArea {...{ state, pair, request, usedChain, price }} />
      </div>
      <AffinityScale prediction={prediction} />
      <div
        className={classes.below}
        data-spaced={state.status === 'none' || state.status === 'failed'}
      >
        <DetailsArea
          state={state}
          pair={pair}
          price={price}
          onRequest={() => keepFocus(onRequest)}
          onTryAgain={() => keepFocus(onTryAgain)}
          {...props}
        />
      </div>
      {state.status === 'value' && request && evidence(request)}
      <output className="visually-hidden">{announce(state)}</output>
      <PredictionStrip state={state} summary={summary} />
    </section>
  )
}

function PairNames({ pair: { target, compound } }: { pair: Pair }) {
  if (target === null || compound === null) return 'Prediction'
  return (
    <>
      {target} <span className={classes.times}>×</span> {compound}
    </>
  )
}

type ValueAreaProps = Pick<Props, 'pair' | 'request' | 'usedChain' | 'price'> & {
  state: PredictionState
}

function ValueArea({ state, pair, request, usedChain, price }: ValueAreaProps): ReactNode {
  switch (state.status) {
    case 'none':
      return <NoValue title="No reading yet" text={isComplete(pair) ? '' : invitation(price)} />
    case 'waiting':
      return <ValueToCome stage={state.stage} requestedAt={request?.requestedAt ?? null} />
    case 'value':
      return <PredictedValue prediction={state.prediction} usedChain={usedChain} />
    case 'failed':
      return <NoValue title="No reading" text="" />
  }
}

type DetailsAreaProps = Omit<Props, 'request' | 'usedChain' | 'evidence' | 'onBalanceChange'> & {
  state: PredictionState
}

function DetailsArea({
  state,
  pair,
  price,
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
      return <ValueDetails prediction={state.prediction} />
    case 'failed':
      if (isRefusalTold && state.failure.remedy === 'sign in') return null
      return <FailureNote failure={state.failure} {...{ onTryAgain, onReturnToLogin }} />
  }
}

function isComplete({ target, compound }: Pair): boolean {
  return target !== null && compound !== null
}

function invitation(price: number | null): string {
  const cost = price === null ? '' : ` and takes ${countCredits(price)}`
  return `Select one target and one compound. A prediction starts by itself${cost}.`
}

function announce(state: PredictionState): string {
  if (state.status !== 'value') return ''
  const { pkd } = state.prediction
  return `pKd ${formatPkd(pkd)}, plus or minus ${FIXED_INTERVAL_PKD}, ${wordOf(pkd)}`
}

type UnrequestedPairProps = Pick<Props, 'price' | 'isCleared' | 'onRequest'>

/** A pair that came with a link, or whose request was taken back: it is requested when the user says so, because that may cost a credit. */
function UnrequestedPairNote({ price, isCleared, onRequest }: UnrequestedPairProps) {
  const cost = price === null ? '' : `It takes ${countCredits(price)}, or none`
  return (
    <Note
      tone="info"
      title={isCleared ? 'This pair has not been predicted' : 'This pair came with a link'}
      action={<Button onClick={onRequest}>Predict</Button>}
    >
      {`${cost || 'It costs nothing'} if you have asked for this pair before.`}
    </Note>
  )
}

type FailureNoteProps = {
  failure: Extract<PredictionState, { status: 'failed' }>['failure']
  onTryAgain: () => void
  onReturnToLogin: () => void
}

/** A prediction that did not come: what happened, and the one way on. */
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
