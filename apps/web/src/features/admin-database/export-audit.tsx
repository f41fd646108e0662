/** The whole audit log as a table for a spreadsheet, from where it is read. */
import { Button } from '@mantine/core'
import { exportCollection, messages } from '@pkdex/contract'
import { openAdminStream } from '#web/lib/admin-session.ts'
import { Note } from '#web/ui/note.tsx'
import { ExportProgress } from './export-progress.tsx'
import { useExport } from './use-export.ts'
import classes from './export-audit.module.css'

const COLLECTION = 'audit_log'

export function ExportAudit() {
  const { state, start, stop } = useExport()

  function begin() {
    const options = { params: { collection: COLLECTION }, query: { format: 'csv' as const } }
    void start({
      open: (signal) => openAdminStream(exportCollection, { ...options, signal }),
      filename: `${COLLECTION}_export.csv`,
    })
  }

  return (
    <div className={classes.export}>
      <ExportProgress state={state} what="The audit log" onStop={stop} />
      {state.status !== 'running' && (
        <Button variant="default" onClick={begin}>
          Export as CSV
        </Button>
      )}
      {state.status === 'failed' && (
        <Note tone="failure" title={messages.admin.exportFailed(COLLECTION)}>
          {state.reason}
        </Note>
      )}
    </div>
  )
}
