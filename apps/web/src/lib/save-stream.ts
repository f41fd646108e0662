/**
 * Saves a response of any length as a file. The browser receives it in pieces and moves them to
 * disk if there are many, so that the page never has all of it in memory.
 */

import { messageOf } from './api.ts'
import { saveFile } from './save-file.ts'

const PIECE_BYTES = 4 * 1024 * 1024

type Saving = { filename: string; onProgress: (bytes: number) => void }

/** Returns the number of bytes saved. */
export async function saveStream(
  response: Response,
  { filename, onProgress }: Saving,
): Promise<number> {
  const pieces: Blob[] = []
  let open: Uint8Array<ArrayBuffer>[] = []
  let openBytes = 0
  let bytes = 0
  for await (const chunk of chunksOf(response)) {
    open.push(chunk)
    openBytes += chunk.length
    bytes += chunk.length
    onProgress(bytes)
    if (openBytes < PIECE_BYTES) continue
    pieces.push(new Blob(open))
    open = []
    openBytes = 0
  }
  const type = response.headers.get('Content-Type') ?? 'application/octet-stream'
  saveFile(new Blob([...pieces, ...open], { type }), filename)
  return bytes
}

/** The same without progress. */
export async function saveAnswer(answer: Promise<Response>, filename: string): Promise<void> {
  await saveStream(await answer, { filename, onProgress: () => undefined })
}

/** Why a file could not be saved. */
export function savingReason(error: unknown): string {
  return messageOf(error, 'The file could not be saved.')
}

/** With a reader, because not every browser can iterate a stream. */
async function* chunksOf(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
