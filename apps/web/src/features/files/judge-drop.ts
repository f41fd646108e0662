/** The rule for dropped files, and for those alone: each must carry the accepted extension, or nothing is uploaded. */
import { messages } from '@pkdex/contract'
import type { FailedFile } from './upload-files.ts'

/** Every dropped file with why it was not sent; empty when all may be uploaded. */
export function judgeDrop(files: File[], accepted: string): FailedFile[] {
  const isAccepted = ({ name }: File) => name.toLowerCase().endsWith(accepted)
  if (files.every(isAccepted)) return []
  return files.map((file) => ({
    filename: file.name,
    message: isAccepted(file)
      ? 'Not sent, because another file of this drop is of the wrong type.'
      : messages.upload.onlyAccepted(accepted),
  }))
}
