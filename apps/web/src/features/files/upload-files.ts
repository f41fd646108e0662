/** Uploads files one after the other, each in its own request, and collects the results. */
import { messages, SampleIndex, type UploadAnswer } from '@pkdex/contract'
import { ApiError, isRefused, messageOf, readAsset } from '#web/lib/api.ts'
import { upload } from '#web/lib/upload.ts'
import { tableExtensions, type UploadKind } from './upload-kinds.ts'

/** Without a file name the message is about the whole box. */
export type FailedFile = {
  filename: string | null
  message: string
  needsLogin?: boolean
  /** A file that could not be read as it is. */
  unread?: File
  /** Says where the file belongs. */
  hint?: string
}
/**
 * Called with a file that can be uploaded, the table that it was made from, and the same table if its measured values are
 * wanted as well.
 */
export type OnImport = (file: File, original?: File, values?: File) => void

/** `original`: the table that the file was made from. */
export type GivenFile = { file: File; original?: File | undefined }
export type UploadOutcome = { answers: UploadAnswer[]; failures: FailedFile[] }
export type UploadProgress = { filename: string; number: number; total: number; fraction: number }

export async function uploadFiles(
  kind: UploadKind,
  files: GivenFile[],
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  const outcome: UploadOutcome = { answers: [], failures: [] }
  for (const [index, { file, original }] of files.entries()) {
    if (signal.aborted) return outcome
    const tell = (sent: number) => {
      const place = { filename: (original ?? file).name, number: index + 1, total: files.length }
      onProgress({ ...place, fraction: (index + sent) / files.length })
    }
    tell(0)
    try {
      const sending = { file, original, fileType: kind.fileType, onProgress: tell, signal }
      outcome.answers.push(await upload(sending))
    } catch (error) {
      if (signal.aborted) return outcome
      const message = messageOf(error, kind.failed)
      // An expired key would fail for the remaining files as well.
      const needsLogin = isRefused(error)
      const lost = needsLogin ? files.slice(index) : [{ file, original }]
      const unread = isUnreadable(error) ? { unread: original ?? file } : {}
      outcome.failures.push(
        ...lost.map((one) => {
          const { name } = one.original ?? one.file
          return { filename: name, message, needsLogin, ...unread }
        }),
      )
      if (needsLogin) return outcome
    }
  }
  return outcome
}

function isUnreadable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422
}

/** Sample files for new users, fetched here and uploaded like any other file. */
export async function uploadSamples(
  kind: UploadKind,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  onProgress({ filename: 'Sample files', number: 1, total: 1, fraction: 0 })
  const files = await fetchSamples(kind, signal).catch(() => null)
  const given = files?.map((file) => ({ file }))
  if (given !== undefined) return uploadFiles(kind, given, onProgress, signal)
  const message = 'The sample files could not be loaded.'
  return { answers: [], failures: signal.aborted ? [] : [{ filename: null, message }] }
}

async function fetchSamples(kind: UploadKind, signal: AbortSignal): Promise<File[]> {
  const answer = await readAsset('/samples/index.json', signal)
  const index = SampleIndex.parse(await answer.json())
  const names = kind.fileType === 'protein_pdb' ? index.targets : index.compounds
  return Promise.all(names.map((name) => fetchSample(name, signal)))
}

async function fetchSample(name: string, signal: AbortSignal): Promise<File> {
  const response = await readAsset(`/samples/${encodeURIComponent(name)}`, signal)
  return new File([await response.blob()], name, { type: 'text/plain' })
}

/**
 * Checks dropped files only: each must have the accepted extension, or none is uploaded. Returns
 * the reason for each file; empty if all can be uploaded. A single table can be imported instead.
 */
export function refuseWrongTypes(
  files: File[],
  { accepted, takesTables, elsewhere }: Pick<UploadKind, 'accepted' | 'takesTables' | 'elsewhere'>,
): FailedFile[] {
  const isAccepted = ({ name }: File) => name.toLowerCase().endsWith(accepted)
  if (files.every(isAccepted)) return []
  const isTable = takesTables && files.length === 1
  const isElsewhere = files.every((file) => endsWithAny(file, elsewhere.extensions))
  return files.map((file) => ({
    filename: file.name,
    ...(isTable && endsWithAny(file, tableExtensions) && { unread: file }),
    ...(isElsewhere && { hint: elsewhere.hint }),
    message: isAccepted(file)
      ? 'Not uploaded: another dropped file has the wrong type.'
      : messages.upload.onlyAccepted(accepted),
  }))
}

function endsWithAny({ name }: File, extensions: readonly string[]): boolean {
  return extensions.some((extension) => name.toLowerCase().endsWith(extension))
}
