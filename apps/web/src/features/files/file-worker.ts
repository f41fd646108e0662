/** Reads a file, or a share of it, off the page's thread. */
import { type ShareRequest, readShare, type Share } from './read-share.ts'

/** What the page gets. */
export type Answer = { done: number; total: number } | { share: Share | null } | { reason: string }

const answer = (message: Answer) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<ShareRequest>) => {
  readShare(data, (done, total) => answer({ done, total })).then(
    (share) => answer({ share }),
    (error: unknown) => answer({ reason: error instanceof Error ? error.message : String(error) }),
  )
})
