/** What the panel can say about a pair: nothing yet, waiting, a value, or a failure. Pure: answers in, state out. */
import { messages, type PredictAnswer, type PredictionResult, type Task } from '@pkdex/contract'
import { z } from 'zod'
import { ApiError, isRefused, messageOf } from '#web/lib/api.ts'
import { isFinal } from './task-query.ts'

/** `details` is missing from a server that answers a bare number. */
export type Prediction = { pkd: number; details: PredictionResult | null }

export type Stage = 'Queued' | 'Running'

type Failure = {
  title: string
  message: string | null
  /** What helps: signing in again, or asking again. */
  remedy: 'sign in' | 'ask again'
}

/** Credits that this ask has cost so far, and those that came back; null: not known. */
type Cost = { cost: number | null; returned: number }

export type Reading =
  | { status: 'none' }
  | ({ status: 'waiting'; stage: Stage; isOutOfReach: boolean } & Cost)
  | ({ status: 'value'; prediction: Prediction } & Cost)
  | ({ status: 'failed'; failure: Failure } & Cost)

type Answers = {
  isAsked: boolean
  answer: PredictAnswer | undefined
  askError: Error | null
  task: Task | undefined
  taskError: Error | null
}

export function readAnswers({ isAsked, answer, askError, task, taskError }: Answers): Reading {
  if (!isAsked) return { status: 'none' }
  if (askError !== null) return refusal(askError)
  if (answer === undefined) return waiting('Queued', null)
  if (!('task_id' in answer)) return directValue(answer)
  const taken = answer.credits_charged ?? null
  return isFinal(taskError) ? brokenPoll(taskError, taken) : readTask(task, taskError, taken)
}

function readTask(task: Task | undefined, outage: Error | null, taken: number | null): Reading {
  if (task?.status === 'SUCCESS') return taskValue(task, taken)
  if (task?.status === 'FAILURE') return taskFailure(task, taken)
  const isQueued = task === undefined || task.status === 'PENDING'
  return waiting(isQueued ? 'Queued' : 'Running', taken, outage !== null)
}

function waiting(stage: Stage, cost: number | null, isOutOfReach = false): Reading {
  return { status: 'waiting', stage, isOutOfReach, cost, returned: 0 }
}

function value(pkd: number, details: PredictionResult | null, cost: number | null): Reading {
  return { status: 'value', prediction: { pkd, details }, cost, returned: 0 }
}

function directValue(answer: Exclude<PredictAnswer, { task_id: string }>): Reading {
  return value(answer.predicted_kd, answer.result ?? null, answer.credits_charged ?? null)
}

function taskValue(task: Task, taken: number | null): Reading {
  const { result } = task
  const cost = task.credits_charged ?? taken
  if (typeof result === 'number') return value(result, null, cost)
  if (!result) return failed(messages.prediction.failedToGet, { cost, returned: 0 })
  return value(result.predicted_kd, 'interval' in result ? result : null, cost)
}

function taskFailure({ message, credits_charged }: Task, taken: number | null): Reading {
  const cost = credits_charged ?? null
  const returned = cost === null || taken === null ? 0 : Math.max(0, taken - cost)
  return failed(message || null, { cost, returned })
}

function refusal(error: Error): Reading {
  const isAnswered = error instanceof ApiError && error.status >= 400 && error.status < 500
  const nothing = { cost: isAnswered ? 0 : null, returned: 0 }
  if (isRefused(error)) return notSignedIn(sentenceOf(error), nothing)
  if (error instanceof ApiError && error.status === 402) {
    const message = messageOf(error, 'Ask your administrator to add some.')
    return failed(message, nothing, 'Not enough credits')
  }
  return failed(sentenceOf(error), nothing)
}

function brokenPoll(error: Error | null, cost: number | null): Reading {
  const soFar = { cost, returned: 0 }
  if (isRefused(error)) return notSignedIn(messages.prediction.authentication, soFar)
  return failed(sentenceOf(error), soFar)
}

function failed(
  message: string | null,
  cost: Cost,
  title: string = messages.prediction.failed,
): Reading {
  return { status: 'failed', failure: { title, message, remedy: 'ask again' }, ...cost }
}

function notSignedIn(message: string, cost: Cost): Reading {
  const title = messages.results.authenticationErrorTitle
  return { status: 'failed', failure: { title, message, remedy: 'sign in' }, ...cost }
}

/** The server's sentence, which is the error's own where there is one, else the client's, else the catalogue's. */
function sentenceOf(error: Error | null): string {
  if (error === null || error instanceof z.ZodError) return messages.prediction.failedToGet
  return error.message || messages.prediction.failedToGet
}
