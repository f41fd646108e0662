/** The whole database as one zip, after a question. */
import { Button } from '@mantine/core'
import { exportAll, messages } from '@pkdex/contract'
import { useState } from 'react'
import { openAdminStream } from '#web/lib/admin-session.ts'
import { formatForFilename } from '#web/lib/format-time.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { ToolIcon } from '#web/ui/tool-icon.tsx'
import { ExportProgress } from './export-progress.tsx'
import { useExport } from './use-export.ts'
import classes from './export-all.module.css'

export function ExportAll() {
  const [isAsking, setIsAsking] = useState(false)
  const { state, start, stop } = useExport()

  function begin() {
    setIsAsking(false)
    void start({
      open: (signal) => openAdminStream(exportAll, { signal }),
      filename: `pkdex_export_${formatForFilename(new Date())}.zip`,
    })
  }

  return (
    <section className={`sheet ${classes.sheet}`} aria-labelledby="whole-database">
      <div className={classes.text}>
        <h2 id="whole-database">Whole database</h2>
        <p className="quiet">
          One zip, one snapshot. Password hashes, key hashes and tokens are left out.
        </p>
      </div>
      <div className={classes.side}>
        <ExportProgress state={state} what="The whole database" onStop={stop} />
        {state.status !== 'running' && (
          <Button leftSection={<ToolIcon name="download" />} onClick={() => setIsAsking(true)}>
            Export Database
          </Button>
        )}
      </div>
      {state.status === 'failed' && (
        <div className={classes.failure}>
          <Note tone="failure" title={messages.admin.exportAllFailed}>
            {state.reason}
          </Note>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Export the whole database"
          text={messages.admin.confirmExportAll}
          confirm="Export Database"
          onConfirm={begin}
          onClose={() => setIsAsking(false)}
        />
      )}
    </section>
  )
}
