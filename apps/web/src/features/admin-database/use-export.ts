/** One export at a time from one place: how far it is, how it ended, and a way to stop it. */
import { useEffect, useRef, useState } from 'react'
import { adminReason } from '#web/lib/admin-api.ts'
import { saveStream } from '#web/lib/save-stream.ts'

export type ExportState =
  | { status: 'idle' }
  | { status: 'running'; bytes: number }
  | { status: 'saved'; bytes: number }
  | { status: 'failed'; reason: string }

type Start = { open: (signal: AbortSignal) => Promise<Response>; filename: string }

/** The numbers on the screen need not be newer than this. */
const PROGRESS_INTERVAL_MS = 100

export function useExport() {
  const [state, setState] = useState<ExportState>({ status: 'idle' })
  const running = useRef<AbortController | null>(null)

  useEffect(() => () => running.current?.abort(), [])

  async function start({ open, filename }: Start) {
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    const show = (next: ExportState) => void (running.current === controller && setState(next))
    show({ status: 'running', bytes: 0 })
    try {
      const onProgress = throttled((bytes) => show({ status: 'running', bytes }))
      const bytes = await saveStream(await open(signal), { filename, onProgress })
      show({ status: 'saved', bytes })
    } catch (error) {
      show(signal.aborted ? { status: 'idle' } : { status: 'failed', reason: reasonOf(error) })
    }
  }

  return { state, start, stop: () => running.current?.abort() }
}

/** A stream that breaks off is told by the browser in its own words, which help nobody. */
function reasonOf(error: unknown): string {
  return error instanceof TypeError
    ? 'The connection broke off before everything was written.'
    : adminReason(error)
}

function throttled(show: (bytes: number) => void): (bytes: number) => void {
  let shownAt = 0
  return (bytes) => {
    const now = performance.now()
    if (now - shownAt < PROGRESS_INTERVAL_MS) return
    shownAt = now
    show(bytes)
  }
}
