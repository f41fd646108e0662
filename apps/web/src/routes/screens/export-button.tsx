/** Buttons that download a screen: its rows in input order, all or filtered, and its poses. */
import {
  downloadScreen,
  downloadScreenPoses,
  downloadScreenSdf,
  downloadScreenXlsx,
} from '@pkdex/contract'
import type { ResultsFilter } from '#web/features/screens/results-params.ts'
import { openCall } from '#web/lib/api.ts'
import { saveAnswer, savingReason } from '#web/lib/save-stream.ts'
import { SaveButton } from '#web/ui/save-button.tsx'

const FORMATS = {
  CSV: { download: downloadScreen, extension: 'csv' },
  XLSX: { download: downloadScreenXlsx, extension: 'xlsx' },
  SDF: { download: downloadScreenSdf, extension: 'sdf' },
} as const

type Props = {
  id: string
  format: keyof typeof FORMATS
  /** Null for all rows. */
  filter: ResultsFilter | null
}

export function ExportButton({ id, format, filter }: Props) {
  const { download, extension } = FORMATS[format]
  const rows = () => openCall(download, { params: { id }, query: filter ?? {} })
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
