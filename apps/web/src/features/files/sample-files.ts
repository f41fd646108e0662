/** Real files for the first minute. They are fetched here and uploaded like any other. */
import { SampleIndex } from '@pkdex/contract'
import { readAsset } from '#web/lib/api.ts'
import { uploadFiles, type UploadOutcome, type UploadProgress } from './upload-files.ts'
import type { UploadKind } from './upload-kinds.ts'

export async function uploadSamples(
  kind: UploadKind,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  onProgress({ filename: 'Sample files', number: 1, total: 1, fraction: 0 })
  const files = await fetchSamples(kind, signal).catch(() => null)
  if (files !== null) return uploadFiles(kind, files, onProgress, signal)
  const message = 'The sample files could not be fetched.'
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
