/** Saves every prediction that matches the search as one table. */
import { downloadHistory } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { messageOf, openCall } from '#web/lib/api.ts'
import { saveStream } from '#web/lib/save-stream.ts'
import { Button } from '#web/ui/button.ts'
import { ToolIcon } from '#web/ui/tool-icon.tsx'

export function SaveHistory({ search }: { search: string }) {
  const save = useMutation({
    mutationFn: async () => {
      const response = await openCall(downloadHistory, { query: { search } })
      return saveStream(response, { filename: 'history.csv', onProgress: () => undefined })
    },
  })
  return (
    <>
      {save.error && <p role="alert">{messageOf(save.error, 'The file could not be saved.')}</p>}
      <Button
        variant="default"
        leftSection={<ToolIcon name="download" />}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        CSV
      </Button>
    </>
  )
}
