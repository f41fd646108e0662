/** Saves the rows of a screen, in the order of the input, as a file of one format: all of them, or those that pass the filters. Or its poses. */
import {
  downloadScreen,
  downloadScreenPoses,
  downloadScreenSdf,
  downloadScreenXlsx,
} from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import type { ResultsFilter } from '#web/features/screens/results-params.ts'
import { messageOf, openCall } from '#web/lib/api.ts'
import { saveStream } from '#web/lib/save-stream.ts'
import { Button } from '#web/ui/button.ts'
import { ToolIcon } from '#web/ui/tool-icon.tsx'

const FORMATS = {
  CSV: { download: downloadScreen, extension: 'csv' },
  XLSX: { download: downloadScreenXlsx, extension: 'xlsx' },
  SDF: { download: downloadScreenSdf, extension: 'sdf' },
} as const

type Props = {
  id: string
  format: keyof typeof FORMATS
  /** Null for every row of the input. */
  filter: ResultsFilter | null
}

export function ExportButton({ id, format, filter }: Props) {
  const { download, extension } = FORMATS[format]
  return (
    <SaveButton
      label={format}
      filename={`screen_${id}.${extension}`}
      open={() => openCall(download, { params: { id }, query: filter ?? {} })}
    />
  )
}

/** Of all targets. */
export function PosesButton({ id }: { id: string }) {
  return (
    <SaveButton
      label="Download poses (SDF)"
      filename={`poses_${id}.sdf`}
      open={() => openCall(downloadScreenPoses, { params: { id }, query: {} })}
    />
  )
}

type SaveProps = { label: string; filename: string; open: () => Promise<Response> }

function SaveButton({ label, filename, open }: SaveProps) {
  const save = useMutation({
    mutationFn: async () => saveStream(await open(), { filename, onProgress: () => undefined }),
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
        {label}
      </Button>
    </>
  )
}
