/** The calls behind a prediction: what is known, the request for one pair, and the poll of the task that it may have started. */
import {
  listKnown,
  POLL_INTERVAL_MS,
  readPrediction,
  requestPrediction,
  type Task,
} from '@pkdex/contract'
import { queryOptions, skipToken, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useCallback } from 'react'
import { ApiError, call } from '#web/lib/api.ts'

/**
 * One click or key on a complete pair. It carries its moment: drawn twice it is still one request, a later one for
 * the same pair is another, and an answer is only ever shown for the pair that it belongs to.
 */
export type PredictionRequest = { target: string; compound: string; requestedAt: number }

/** `onPaid` runs when the server has answered, because the balance may be another one now. */
export function requestQuery(request: PredictionRequest | null, onPaid: () => void) {
  return queryOptions({
    queryKey: ['prediction', request],
    queryFn: request === null ? skipToken : () => send(request).finally(onPaid),
    // A request that costs a credit is never repeated behind the user's back.
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Offline it fails now and says so, rather than going out unseen later.
    networkMode: 'always',
  })
}

/** The numbers that the user has on a target already, and what the others would cost. `chain` is the one used now. */
export function knownQuery(target: string | null, chain: string | null) {
  return queryOptions({
    queryKey: [...knownKey, target, chain],
    queryFn:
      target === null || chain === null
        ? skipToken
        : ({ signal }) => call(listKnown, { query: { protein_id: target }, signal }),
    // Without it the list shows masses alone.
    retry: false,
  })
}

const knownKey = ['known']

/** After a number has come. */
export function useRefreshKnown(): () => void {
  const client = useQueryClient()
  return useCallback(() => void readAgain(client, { queryKey: knownKey }), [client])
}

function send({ target, compound }: PredictionRequest) {
  return call(requestPrediction, { body: { protein_id: target, compound_id: compound } })
}

const justQueued: Task = { status: 'PENDING' }

/** Polls a task until it has succeeded or failed, when `onEnded` runs once. An outage in between does not end it. */
export function taskQuery(taskId: string | null, onEnded: () => void) {
  return queryOptions({
    queryKey: ['task', taskId],
    queryFn: taskId === null ? skipToken : ({ signal }) => poll(taskId, onEnded, signal),
    // The server has just said that it is not done, so the first poll waits its turn as well.
    initialData: justQueued,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: ({ state }) =>
      isEnded(state.data) || isFinal(state.error) ? false : POLL_INTERVAL_MS,
    refetchIntervalInBackground: true,
    networkMode: 'always',
  })
}

/** Every status but these two, known or not, means: not yet. */
function isEnded(task: Task | undefined): boolean {
  return task?.status === 'SUCCESS' || task?.status === 'FAILURE'
}

/** True where asking again cannot help: refused, gone, or not an answer of this API. */
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
