/** Saves all data of the user as one zip. */
import { exportAccount } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { messageOf, openCall } from '#web/lib/api.ts'
import { saveStream } from '#web/lib/save-stream.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ToolIcon } from '#web/ui/tool-icon.tsx'

export function DownloadData() {
  const save = useMutation({
    mutationFn: async () => {
      const response = await openCall(exportAccount)
      return saveStream(response, { filename: 'pkdex_my_data.zip', onProgress: () => undefined })
    },
  })
  return (
    <Panel title="Export">
      <p className="quiet">A zip: original files, poses as SDF, the rest as CSV.</p>
      {save.error && (
        <Note tone="failure" title="The download failed">
          {messageOf(save.error, 'Try again.')}
        </Note>
      )}
      <Button
        variant="default"
        leftSection={<ToolIcon name="download" />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        Download my data
      </Button>
    </Panel>
  )
}
