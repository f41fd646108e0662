/** The states of the panel for a pair (empty, waiting, value or failure), and the credits used. */
import { messages, type PredictAnswer, type PredictionResult, type Task } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import { ApiError, isRefused, messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { isFinal, type PredictionRequest, requestQuery, taskQuery } from './prediction-queries.ts'

export type Prediction = {
  /** The best estimate. */
  pkd: number
  /** Its calibrated interval; null if the server returns only a value. */
  interval: PredictionResult['interval'] | null
  details: PredictionResult | null
}

/** `pkd` is shown if there are no details. */
export function toPrediction(pkd: number, details: PredictionResult | null): Prediction {
  if (details === null) return { pkd, interval: null, details }
  const { predicted_kd, interval } = details.best_estimate ?? details
  return { pkd: predicted_kd, interval, details }
}

export type Stage = 'Queued' | 'Running'

type Failure = {
  title: string
  message: string | null
  /** What the user can do: sign in again, or try again. */
  remedy: 'sign in' | 'try again'
}

/** Credits that the request has cost so far, and those refunded; null if unknown. */
type Cost = { cost: number | null; returned: number }

export type PredictionState =
  | { status: 'none' }
  | ({ status: 'waiting'; stage: Stage; isOutOfReach: boolean } & Cost)
  | ({ status: 'value'; prediction: Prediction } & Cost)
  | ({ status: 'failed'; failure: Failure } & Cost)

/** The server's responses so far. */
type Answers = {
  isRequested: boolean
  answer: PredictAnswer | undefined
  requestError: Error | null
  task: Task | undefined
  taskError: Error | null
}

function toPredictionState({
  isRequested,
  answer,
  requestError,
  task,
  taskError,
}: Answers): PredictionState {
  if (!isRequested) return { status: 'none' }
  if (requestError !== null) return refusal(requestError)
  if (answer === undefined) return waiting('Queued', null)
  if (!('task_id' in answer)) return directValue(answer)
  const taken = answer.credits_charged ?? null
  return isFinal(taskError) ? brokenPoll(taskError, taken) : readTask(task, taskError, taken)
}

function readTask(
  task: Task | undefined,
  outage: Error | null,
  taken: number | null,
): PredictionState {
  if (task?.status === 'SUCCESS') return taskValue(task, taken)
  if (task?.status === 'FAILURE') return taskFailure(task, taken)
  const isQueued = task === undefined || task.status === 'PENDING'
  return waiting(isQueued ? 'Queued' : 'Running', taken, outage !== null)
}

function waiting(stage: Stage, cost: number | null, isOutOfReach = false): PredictionState {
  return { status: 'waiting', stage, isOutOfReach, cost, returned: 0 }
}

function value(
  pkd: number,
  details: PredictionResult | null,
  cost: number | null,
): PredictionState {
  return { status: 'value', prediction: toPrediction(pkd, details), cost, returned: 0 }
}

function directValue(answer: Exclude<PredictAnswer, { task_id: string }>): PredictionState {
  return value(answer.predicted_kd, answer.result ?? null, answer.credits_charged ?? null)
}

function taskValue(task: Task, taken: number | null): PredictionState {
  const { result } = task
  const cost = task.credits_charged ?? taken
  if (typeof result === 'number') return value(result, null, cost)
  if (!result) return failed(messages.prediction.failedToGet, { cost, returned: 0 })
  return value(result.predicted_kd, 'interval' in result ? result : null, cost)
}

function taskFailure({ message, credits_charged }: Task, taken: number | null): PredictionState {
  const cost = credits_charged ?? null
  const returned = cost === null || taken === null ? 0 : Math.max(0, taken - cost)
  return failed(message || null, { cost, returned })
}

function refusal(error: Error): PredictionState {
  const isAnswered = error instanceof ApiError && error.status >= 400 && error.status < 500
  const nothing = { cost: isAnswered ? 0 : null, returned: 0 }
  if (isRefused(error)) return notSignedIn(sentenceOf(error), nothing)
  if (error instanceof ApiError && error.status === 402) {
    const message = messageOf(error, 'Ask your administrator for more.')
    return failed(message, nothing, 'Not enough credits')
  }
  return failed(sentenceOf(error), nothing)
}

function brokenPoll(error: Error | null, cost: number | null): PredictionState {
  const soFar = { cost, returned: 0 }
  if (isRefused(error)) return notSignedIn(messages.prediction.authentication, soFar)
  return failed(sentenceOf(error), soFar)
}

function failed(
  message: string | null,
  cost: Cost,
  title: string = messages.prediction.failed,
): PredictionState {
  return { status: 'failed', failure: { title, message, remedy: 'try again' }, ...cost }
}

function notSignedIn(message: string, cost: Cost): PredictionState {
  const title = messages.results.authenticationErrorTitle
  return { status: 'failed', failure: { title, message, remedy: 'sign in' }, ...cost }
}

/** The server's message, else the client's, else the catalogue's. */
function sentenceOf(error: Error | null): string {
  if (error === null || error instanceof z.ZodError) return messages.prediction.failedToGet
  return error.message || messages.prediction.failedToGet
}

/**
 * Follows one request to its value, from server state alone. `onBalanceChange` runs whenever a
 * credit may have been charged or refunded.
 */
export function usePredictionState(
  request: PredictionRequest | null,
  onBalanceChange: () => void,
): PredictionState {
  const settled = useSettled(request)
  const { data: answer, error: requestError } = useQuery(requestQuery(settled, onBalanceChange))
  const taskId = answer !== undefined && 'task_id' in answer ? answer.task_id : null
  const { data: task, error: taskError } = useQuery(taskQuery(taskId, onBalanceChange))
  return toPredictionState({ isRequested: request !== null, answer, requestError, task, taskError })
}

/** A selection is requested only after this delay, so browsing costs nothing. */
export const SETTLE_MS = 600

/** The debounced request; requests restored by reload or back navigation are not delayed. */
function useSettled(request: PredictionRequest | null): PredictionRequest | null {
  const [settledUntil, setSettledUntil] = useState(() => Date.now() - 1)
  const requestedAt = request?.requestedAt ?? Number.NEGATIVE_INFINITY
  const isSettled = requestedAt <= settledUntil
  useEffect(() => {
    if (isSettled) return
    const timer = setTimeout(() => setSettledUntil(requestedAt), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [requestedAt, isSettled])
  return isSettled ? request : null
}

/** One line about the credits used; empty if the server did not say. */
export function creditLine(state: PredictionState): string {
  if (state.status === 'none') return ''
  const { cost, returned } = state
  if (returned > 0) return `${countCredits(returned)} refunded`
  if (cost === null) return ''
  return cost === 0 ? 'No credit used' : `${countCredits(cost)} used`
}

export function countCredits(count: number): string {
  return countOf(count, 'credit')
}
