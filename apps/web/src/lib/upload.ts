/** Apart from `api.ts`, so that sign-in does not load the contract of files. */
import { type UploadAnswer, uploadFile } from '@pkdex/contract'
import { credentials, errorOf } from './api.ts'
import { noAnswer, parseJson, readRefusal, urlOf } from './client.ts'

type Upload = {
  file: File
  /** The table that the file was made from, which is stored in its place. */
  original?: File | undefined
  fileType: UploadAnswer['file_type']
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Uploads one file. An XMLHttpRequest, because fetch does not report upload progress. */
export function upload({
  file,
  original,
  fileType,
  onProgress,
  signal,
}: Upload): Promise<UploadAnswer> {
  const form = new FormData()
  form.append('file_type', fileType)
  form.append('file', file)
  if (original) form.append('original', original)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(uploadFile.method, urlOf(uploadFile.path))
    credentials({}).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded / event.total))
    request.addEventListener('load', () => {
      const text = request.responseText
      if (request.status >= 400) reject(errorOf(readRefusal(request, text)))
      else settle(() => uploadFile.answer.parse(parseJson(text)), resolve, reject)
    })
    request.addEventListener('error', () => reject(noAnswer()))
    request.addEventListener('abort', () => reject(signal.reason))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

function settle<T>(read: () => T, resolve: (value: T) => void, reject: (error: unknown) => void) {
  try {
    resolve(read())
  } catch (error) {
    reject(error)
  }
}
