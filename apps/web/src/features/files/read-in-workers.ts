/** Reads a file in workers, so that the page stays responsive; large SD files in several at once. */
import type { Answer } from './file-worker.ts'
import { readShare, type Share, type ShareRequest } from './read-share.ts'

/** A smaller file is read before another worker has started. */
const SHARED_BYTES_MIN = 1024 * 1024
const WORKERS_MAX = 4
/** Holds at least one record. */
const START_BYTES = 64 * 1024

type OnProgress = (done: number, total: number) => void

/** Throws an error with a message for the user. */
export async function readInWorkers(
  bytes: Uint8Array,
  sheet: number | undefined,
  onProgress: OnProgress,
): Promise<Share> {
  const shares = isShared(bytes) ? Math.min(WORKERS_MAX, navigator.hardwareConcurrency || 1) : 1
  const done = Array.from({ length: shares }, () => 0)
  const parts = await Promise.all(
    done.map((_, share) => {
      const count: OnProgress = (own, total) => {
        done[share] = own
        onProgress(
          done.reduce((sum, one) => sum + one, 0),
          total,
        )
      }
      return readOne({ bytes, sheet, share, shares }, count)
    }),
  )
  const [first, ...others] = parts.filter((part) => part !== null)
  if (first === undefined) throw new Error('The file cannot be read.')
  return others.reduce(joined, first)
}

/** Only the molecules of SD files take long; each worker reads the whole file for its share of them. */
function isShared(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, START_BYTES))
  return bytes.length >= SHARED_BYTES_MIN && start.includes('M  END')
}

function joined(one: Share, other: Share): Share {
  return {
    sheet: {
      ...one.sheet,
      rows: [...one.sheet.rows, ...other.sheet.rows],
      lines: [...one.sheet.lines, ...other.sheet.lines],
    },
    unread: [...one.unread, ...other.unread],
  }
}

function readOne(request: ShareRequest, onProgress: OnProgress) {
  // Not in tests without a browser.
  if (typeof Worker === 'undefined') return readShare(request, onProgress)
  const worker = new Worker(new URL('file-worker.ts', import.meta.url), { type: 'module' })
  const read = Promise.withResolvers<Share | null>()
  worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    if ('done' in data) onProgress(data.done, data.total)
    else if ('reason' in data) read.reject(new Error(data.reason))
    else read.resolve(data.share)
  })
  worker.addEventListener('error', () => read.reject(new Error('The file cannot be read.')))
  worker.postMessage(request)
  return read.promise.finally(() => worker.terminate())
}
