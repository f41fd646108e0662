/** An export in progress: bytes so far, result, and a Stop button. */
import { Group } from '#web/ui/layout.ts'
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
      <Group className="one-line" wrap="nowrap" gap={10} justify="flex-end" mih="var(--hit)">
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
              text="Leaving this page cancels the export. Nothing will be saved."
              confirm="Leave"
              cancel="Stay"
              isDangerous
              onConfirm={proceed}
              onClose={reset}
            />
          )}
        </LeaveGuard>
      </Group>
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

/** Update interval of the displayed numbers. */
const PROGRESS_INTERVAL_MS = 100

/** Runs at most one export at a time. */
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

/** The browser's own message for a broken stream does not help users. */
function reasonOf(error: unknown): string {
  return error instanceof TypeError
    ? 'The connection was lost before the export finished.'
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
