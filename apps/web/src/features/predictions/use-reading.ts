/** Follows one ask from the request to the value. Server state only: drop the ask and everything is gone. */
import { useQuery } from '@tanstack/react-query'
import { type Ask, askQuery } from './ask-query.ts'
import { type Reading, readAnswers } from './reading.ts'
import { taskQuery } from './task-query.ts'

/** `onBalanceChange` runs whenever a credit may have been taken or returned. */
export function useReading(ask: Ask | null, onBalanceChange: () => void): Reading {
  const { data: answer, error: askError } = useQuery(askQuery(ask, onBalanceChange))
  const taskId = answer !== undefined && 'task_id' in answer ? answer.task_id : null
  const { data: task, error: taskError } = useQuery(taskQuery(taskId, onBalanceChange))
  return readAnswers({ isAsked: ask !== null, answer, askError, task, taskError })
}
