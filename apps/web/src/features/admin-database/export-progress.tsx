/** One export on its way: how far it is, how it ended, and a way to stop it. */
import { Button } from '#web/ui/button.ts'
import { useEffect, useRef, useState } from 'react'
import { adminReason } from '#web/lib/admin-api.ts'
import { formatBytes } from '#web/lib/format.ts'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { SpinnerRing } from '#web/ui/spinner.tsx'
import classes from './export-progress.module.css'
import { saveStream } from '#web/lib/save-stream.ts'

type Props = { state: ExportState; what: string; onStop: () => void }

export function ExportProgress({ state, what, onStop }: Props) {
  if (state.status === 'running') {
    return (
      <div className={classes.progress}>
        <SpinnerRing />
        <span className="small quiet">{formatBytes(state.bytes)} written</span>
        <Button
          variant="subtle"
          color="gray"
          aria-label={`Stop exporting ${what}`}
          onClick={onStop}
        >
          Stop
        </Button>
        <LeaveGuard isFree={({ pathname }) => pathname === '/admin/login'}>
          {({ proceed, reset }) => (
            <ConfirmDialog
              title={`${what} is still being exported`}
              text="Leaving this page stops the export; nothing of it is saved."
              confirm="Leave and stop"
              cancel="Stay"
              isDangerous
              onConfirm={proceed}
              onClose={reset}
            />
          )}
        </LeaveGuard>
      </div>
    )
  }
  return (
    <output className={`small quiet ${classes.saved}`}>
      {state.status === 'saved' && `Saved, ${formatBytes(state.bytes)}`}
    </output>
  )
}

type ExportState =
  | { status: 'idle' }
  | { status: 'running'; bytes: number }
  | { status: 'saved'; bytes: number }
  | { status: 'failed'; reason: string }

type Start = { open: (signal: AbortSignal) => Promise<Response>; filename: string }

/** The numbers on the screen need not be newer than this. */
const PROGRESS_INTERVAL_MS = 100

/** One export at a time from one place. */
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
