/** The life of one box: idle, Uploading..., then an input report or failures. Tells the page when it has succeeded. */
import { messages, type Target, type UploadAnswer } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { readKey } from '#web/lib/session-key.ts'
import { compoundListQuery } from './compound-list-query.ts'
import { targetListQuery } from './target-list-query.ts'
import { type FailedFile, uploadFiles, type UploadProgress } from './upload-files.ts'
import type { UploadKind } from './upload-kinds.ts'
import { useUpdateTarget } from './use-update-target.ts'

export function useUploads(kind: UploadKind, onSuccess: (answers: UploadAnswer[]) => void) {
  const client = useQueryClient()
  const updateTarget = useUpdateTarget()
  const running = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const [answers, setAnswers] = useState<UploadAnswer[]>([])
  const [failures, setFailures] = useState<FailedFile[]>([])

  useEffect(() => () => running.current?.abort(), [])

  const start = async (files: File[]) => {
    if (readKey() === null) {
      const { notSignedIn } = messages.upload
      return setFailures([{ filename: null, message: notSignedIn, needsLogin: true }])
    }
    const controller = new AbortController()
    running.current = controller
    setFailures([])
    const outcome = await uploadFiles(kind, files, setProgress, controller.signal)
    const taken = [...answers, ...outcome.answers]
    setProgress(null)
    setAnswers(taken)
    setFailures(outcome.failures)
    void client.invalidateQueries(targetListQuery())
    void client.invalidateQueries(compoundListQuery())
    if (outcome.failures.length === 0 && !controller.signal.aborted) onSuccess(taken)
  }

  /** Another chain was chosen: the report follows. */
  const replaceTarget = (target: Target) => {
    const update = (old: Target) => (old.name === target.name ? target : old)
    setAnswers(answers.map((answer) => ({ ...answer, targets: answer.targets.map(update) })))
    updateTarget(target)
  }

  const cancel = () => running.current?.abort()

  return { progress, answers, failures, start, fail: setFailures, replaceTarget, cancel }
}
