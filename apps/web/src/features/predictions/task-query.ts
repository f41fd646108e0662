/** Polls a task until it has ended, one way or the other. An outage in between does not end it. */
import { POLL_INTERVAL_MS, readPrediction, type Task } from '@pkdex/contract'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { ApiError, call } from '#web/lib/api.ts'

const justQueued: Task = { status: 'PENDING' }

/** `onEnded` runs once, when the task has succeeded or failed. */
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
