/** The requests of a prediction: existing predictions, the request for one pair, and polling of its task. */
import {
  listKnown,
  POLL_INTERVAL_MS,
  PredictAnswer,
  readPrediction,
  requestPrediction,
  type Task,
} from '@pkdex/contract'
import { queryOptions, skipToken, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useCallback } from 'react'
import { ApiError, call } from '#web/lib/api.ts'

/**
 * One selection of a complete pair. With the time of the selection, rendering twice sends one
 * request, selecting the pair again later sends another, and a response is only shown for its own
 * pair.
 */
export type PredictionRequest = { target: string; compound: string; requestedAt: number }

/** `onPaid` runs after the server's response, because the balance may have changed. */
export function requestQuery(request: PredictionRequest | null, onPaid: () => void) {
  return queryOptions({
    queryKey: ['prediction', request],
    queryFn: request === null ? skipToken : () => send(request).finally(onPaid),
    // A request that costs a credit is never repeated automatically.
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Its number is known by then, so this is free; the cost stays the first one.
    refetchInterval: ({ state: { data } }) => isBeingPlaced(data) && POSE_INTERVAL_MS,
    structuralSharing: keepCost,
    // Offline it fails immediately instead of being sent unnoticed later.
    networkMode: 'always',
  })
}

const POSE_INTERVAL_MS = 1000

function isBeingPlaced(answer: PredictAnswer | undefined): boolean {
  return answer !== undefined && 'result' in answer && answer.result?.is_being_placed === true
}

function keepCost(before: unknown, now: unknown): unknown {
  const first = PredictAnswer.safeParse(before).data
  return first === undefined
    ? now
    : { ...PredictAnswer.parse(now), credits_charged: first.credits_charged }
}

/** The user's predictions on a target, and the cost of the missing ones. `chain`: the one used now. */
export function knownQuery(target: string | null, chain: string | null) {
  return queryOptions({
    queryKey: [...knownKey, target, chain],
    queryFn:
      target === null || chain === null
        ? skipToken
        : ({ signal }) => call(listKnown, { query: { protein_id: target }, signal }),
    // If this fails, the list shows masses only.
    retry: false,
  })
}

const knownKey = ['known']

/** Call after a new prediction. */
export function useRefreshKnown(): () => void {
  const client = useQueryClient()
  return useCallback(() => void readAgain(client, { queryKey: knownKey }), [client])
}

function send({ target, compound }: PredictionRequest) {
  return call(requestPrediction, { body: { protein_id: target, compound_id: compound } })
}

const justQueued: Task = { status: 'PENDING' }

/** Polls a task until it succeeds or fails, then runs `onEnded` once. An outage does not stop polling. */
export function taskQuery(taskId: string | null, onEnded: () => void) {
  return queryOptions({
    queryKey: ['task', taskId],
    queryFn: taskId === null ? skipToken : ({ signal }) => poll(taskId, onEnded, signal),
    // The server has just reported it as queued, so the first poll waits as well.
    initialData: justQueued,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: ({ state }) =>
      isEnded(state.data) || isFinal(state.error) ? false : POLL_INTERVAL_MS,
    refetchIntervalInBackground: true,
    networkMode: 'always',
  })
}

/** Any other status, known or not, means that the task has not ended. */
function isEnded(task: Task | undefined): boolean {
  if (task?.status !== 'SUCCESS') return task?.status === 'FAILURE'
  const { result } = task
  return !(typeof result === 'object' && result !== null && 'is_being_placed' in result)
}

/** Whether trying again cannot help: refused, deleted, or not a response of this API. */
export function isFinal(error: Error | null): boolean {
  if (!(error instanceof ApiError)) return error !== null
  const { status } = error
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

async function poll(taskId: string, onEnded: () => void, signal: AbortSignal): Promise<Task> {
  const task = await call(readPrediction, { params: { taskId }, signal })
  if (isEnded(task)) onEnded()
  return task
}
