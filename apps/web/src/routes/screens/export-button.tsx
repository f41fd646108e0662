/** Buttons that download a screen: its rows in input order, all or filtered, and its poses. */
import { downloadScreenPoses, type Screen, type ScreenExport } from '@pkdex/contract'
import type { ResultsFilter, ResultsParams } from '#web/features/screens/results-params.ts'
import { openCall } from '#web/lib/api.ts'
import { saveAnswer, savingReason } from '#web/lib/save-stream.ts'
import { SaveButton } from '#web/ui/save-button.tsx'

type Props = {
  screen: Screen
  file: ScreenExport
  /** Null for all rows. */
  filter: (ResultsFilter & Pick<ResultsParams, 'values'>) | null
}

export function ExportButton({ screen, file, filter }: Props) {
  const { id, name } = screen
  const { format, extension, endpoint } = file
  const rows = () => openCall(endpoint, { params: { id }, query: filter ?? {} })
  return (
    <SaveButton
      save={() =>
        saveAnswer(rows(), `${name === null ? `screen_${id}` : fileNameOf(name)}.${extension}`)
      }
      reasonOf={savingReason}
    >
      {format}
    </SaveButton>
  )
}

/** Without the characters that file systems refuse. */
function fileNameOf(name: string): string {
  return name.replaceAll(/[\\/:*?"<>|]/g, '_')
}

/** Downloads the poses on all targets. */
export function PosesButton({ id }: { id: string }) {
  const poses = () => openCall(downloadScreenPoses, { params: { id }, query: {} })
  return (
    <SaveButton save={() => saveAnswer(poses(), `poses_${id}.sdf`)} reasonOf={savingReason}>
      Download poses (SDF)
    </SaveButton>
  )
}
