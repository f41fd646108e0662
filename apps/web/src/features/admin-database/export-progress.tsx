/** How far an export is, with a way to stop it; then how much was saved. */
import { Button } from '@mantine/core'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { LeaveGuard } from '#web/ui/leave-guard.tsx'
import { SpinnerRing } from '#web/ui/spinner.tsx'
import type { ExportState } from './use-export.ts'
import classes from './export-progress.module.css'

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
        <LeaveGuard
          isFree={({ pathname }) => pathname === '/admin/login'}
          title={`${what} is still being exported`}
          text="Leaving this page stops the export; nothing of it is saved."
          leave="Leave and stop"
        />
      </div>
    )
  }
  return (
    <output className={`small quiet ${classes.saved}`}>
      {state.status === 'saved' && `Saved, ${formatBytes(state.bytes)}`}
    </output>
  )
}
