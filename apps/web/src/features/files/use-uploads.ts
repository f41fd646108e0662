/** The states of one box: idle, uploading (samples are fetched first), then a report or failures. */
import { messages, type Target, type UploadAnswer } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useEffect, useRef, useState } from 'react'
import { hasKey } from '#web/lib/api.ts'
import { compoundListQuery, targetListQuery, useUpdateTarget } from './file-lists.ts'
import {
  type FailedFile,
  type GivenFile,
  uploadFiles,
  type UploadOutcome,
  type UploadProgress,
  uploadSamples,
} from './upload-files.ts'
import type { UploadKind } from './upload-kinds.ts'

/** `values`: a table whose measured values are wanted, once its compounds are uploaded. */
type OnSuccess = (answers: UploadAnswer[], values?: File) => void

export function useUploads(kind: UploadKind, onSuccess: OnSuccess) {
  const client = useQueryClient()
  const updateTarget = useUpdateTarget()
  const running = useRef<AbortController>(undefined)
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const [answers, updateAnswers] = useAnswers()
  const [failures, setFailures] = useState<FailedFile[]>([])

  useEffect(() => () => running.current?.abort(), [])

  /** One at a time: Cancel, or leaving the page, stops the current upload and nothing else. */
  const run = async (send: (signal: AbortSignal) => Promise<UploadOutcome>, values?: File) => {
    if (running.current !== undefined) return
    if (!hasKey()) {
      const { notSignedIn } = messages.upload
      return setFailures([{ filename: null, message: notSignedIn, needsLogin: true }])
    }
    const controller = new AbortController()
    running.current = controller
    setFailures([])
    const outcome = await send(controller.signal)
    running.current = undefined
    const taken = updateAnswers((before) => [...before, ...outcome.answers])
    setProgress(null)
    setFailures(outcome.failures)
    void readAgain(client, targetListQuery())
    void readAgain(client, compoundListQuery())
    if (outcome.failures.length === 0 && !controller.signal.aborted) onSuccess(taken, values)
  }

  const send = (files: GivenFile[], values?: File) =>
    run((signal) => uploadFiles(kind, files, setProgress, signal), values)

  const start = (files: File[]) => send(files.map((file) => ({ file })))

  const startSamples = () => run((signal) => uploadSamples(kind, setProgress, signal))

  /** Another chain was selected: updates the report. */
  const replaceTarget = (target: Target) => {
    const update = (old: Target) => (old.name === target.name ? target : old)
    updateAnswers((before) =>
      before.map((answer) => ({ ...answer, targets: answer.targets.map(update) })),
    )
    updateTarget(target)
  }

  const cancel = () => running.current?.abort()

  return {
    progress,
    answers,
    failures,
    start,
    /** One file, made from a table or a drawing. */
    startMade: (file: File, original?: File, values?: File) => send([{ file, original }], values),
    startSamples,
    fail: setFailures,
    replaceTarget,
    cancel,
  }
}

/** Each update starts from the latest answers, not from those of the render that started the upload. */
function useAnswers() {
  const latest = useRef<UploadAnswer[]>([])
  const [answers, setAnswers] = useState<UploadAnswer[]>([])
  const updateAnswers = (update: (before: UploadAnswer[]) => UploadAnswer[]) => {
    latest.current = update(latest.current)
    setAnswers(latest.current)
    return latest.current
  }
  return [answers, updateAnswers] as const
}
