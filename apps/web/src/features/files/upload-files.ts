/** Uploads files one after the other, one request a file, and keeps what came of each. */
import type { UploadAnswer } from '@pkdex/contract'
import { isRefused, messageOf, upload } from '#web/lib/api.ts'
import type { UploadKind } from './upload-kinds.ts'

/** Without a file name the sentence is about the whole box. */
export type FailedFile = { filename: string | null; message: string; needsLogin?: boolean }
export type UploadOutcome = { answers: UploadAnswer[]; failures: FailedFile[] }
export type UploadProgress = { filename: string; number: number; total: number; fraction: number }

export async function uploadFiles(
  kind: UploadKind,
  files: File[],
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  const outcome: UploadOutcome = { answers: [], failures: [] }
  for (const [index, file] of files.entries()) {
    if (signal.aborted) return outcome
    const tell = (sent: number) => {
      const place = { filename: file.name, number: index + 1, total: files.length }
      onProgress({ ...place, fraction: (index + sent) / files.length })
    }
    tell(0)
    try {
      const sending = { file, fileType: kind.fileType, onProgress: tell, signal }
      outcome.answers.push(await upload(sending))
    } catch (error) {
      if (signal.aborted) return outcome
      const message = messageOf(error, kind.failed)
      // A dead key will not do for the rest either.
      const needsLogin = isRefused(error)
      const lost = needsLogin ? files.slice(index) : [file]
      outcome.failures.push(...lost.map(({ name }) => ({ filename: name, message, needsLogin })))
      if (needsLogin) return outcome
    }
  }
  return outcome
}
