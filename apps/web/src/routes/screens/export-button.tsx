/** Buttons that download a screen: its rows in input order, all or filtered, and its poses. */
import {
  downloadScreenPoses,
  downloadScreenXlsx,
  type Screen,
  screenExports,
} from '@pkdex/contract'
import { useDrawSmiles } from '#web/features/previews/structure.tsx'
import type { ResultsFilter } from '#web/features/screens/results-params.ts'
import { openCall } from '#web/lib/api.ts'
import { fileNameOf } from '#web/lib/save-file.ts'
import { saveAnswer, savingReason } from '#web/lib/save-stream.ts'
import { SaveButton } from '#web/ui/save-button.tsx'
import { useTableLook } from './table-look.ts'

/** The server's formats, and a CSV that Excel opens with its µ. */
export const exportFiles = screenExports.flatMap((file) => {
  const plain = { ...file, label: file.format, excel: undefined }
  return file.format === 'CSV'
    ? [plain, { ...file, label: 'CSV for Excel', excel: 'true' as const }]
    : [plain]
})

type Props = {
  screen: Screen
  file: (typeof exportFiles)[number]
  /** Null for all rows. */
  filter: ResultsFilter | null
}

export function ExportButton({ screen, file, filter }: Props) {
  const { id } = screen
  const { label, extension, endpoint, excel } = file
  const query = { ...filter, ...(excel && { excel }) }
  const rows = () => openCall(endpoint, { params: { id }, query })
  return (
    <SaveButton
      save={() => saveAnswer(rows(), `${fileNameOf(screen.name ?? `screen_${id}`)}.${extension}`)}
      reasonOf={savingReason}
    >
      {label}
    </SaveButton>
  )
}

/** A workbook of the table as it is on screen: its rows, order and columns, with structures if they are shown. */
export function ShownTableButton({ screen }: Pick<Props, 'screen'>) {
  const { id, name } = screen
  const { params, by, columns } = useTableLook(screen)
  const hasPictures = useDrawSmiles(NONE) !== null
  const query = {
    ...params,
    by,
    columns: ['row', 'compound', 'smiles', ...columns.shown.flatMap(({ file }) => file)].join(','),
    ...(hasPictures && { pictures: 'true' as const }),
  }
  const rows = () => openCall(downloadScreenXlsx, { params: { id }, query })
  return (
    <SaveButton
      save={() => saveAnswer(rows(), `${fileNameOf(name ?? `screen_${id}`)} as shown.xlsx`)}
      reasonOf={savingReason}
    >
      XLSX as shown
    </SaveButton>
  )
}

const NONE: string[] = []

/** Downloads the poses on all targets. */
export function PosesButton({ screen: { id, name } }: Pick<Props, 'screen'>) {
  const poses = () => openCall(downloadScreenPoses, { params: { id }, query: {} })
  return (
    <SaveButton
      save={() =>
        saveAnswer(poses(), name === null ? `poses_${id}.sdf` : `${fileNameOf(name)} poses.sdf`)
      }
      reasonOf={savingReason}
    >
      Download poses (SDF)
    </SaveButton>
  )
}
