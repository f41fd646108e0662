/** Buttons that download a screen: its rows in input order, all or filtered, and its poses. */
import { downloadScreenPoses, type ScreenExport } from '@pkdex/contract'
import type { ResultsFilter, ResultsParams } from '#web/features/screens/results-params.ts'
import { openCall } from '#web/lib/api.ts'
import { saveAnswer, savingReason } from '#web/lib/save-stream.ts'
import { SaveButton } from '#web/ui/save-button.tsx'

type Props = {
  id: string
  file: ScreenExport
  /** Null for all rows. */
  filter: (ResultsFilter & Pick<ResultsParams, 'values'>) | null
}

export function ExportButton({ id, file: { format, extension, endpoint }, filter }: Props) {
  const rows = () => openCall(endpoint, { params: { id }, query: filter ?? {} })
  return (
    <SaveButton
      save={() => saveAnswer(rows(), `screen_${id}.${extension}`)}
      reasonOf={savingReason}
    >
      {format}
    </SaveButton>
  )
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
