/** Saves all data of the user as one zip. */
import { exportAccount } from '@pkdex/contract'
import { openCall } from '#web/lib/api.ts'
import { saveAnswer, savingReason } from '#web/lib/save-stream.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SaveButton } from '#web/ui/save-button.tsx'

export function DownloadData() {
  return (
    <Panel title="Export">
      <p className="quiet">A zip: original files, poses as SDF, the rest as CSV.</p>
      <SaveButton
        save={() => saveAnswer(openCall(exportAccount), 'pkdex_my_data.zip')}
        reasonOf={savingReason}
      >
        Download my data
      </SaveButton>
    </Panel>
  )
}
