/** Writes the matching pairs of a screen in each format of `screenExports`, in input order. */
import { Readable } from 'node:stream'
import type { ScreenExport } from '@pkdex/contract'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { encodeRows, mediaTypes } from '#server/platform/db/encode-rows.ts'
import type { WideTable } from './own-columns.ts'
import { SDF_TYPE, writeSdf } from './write-sdf.ts'
import { writeXlsx, XLSX_TYPE } from './write-xlsx.ts'

type Exported = {
  userId: string
  wide: WideTable
  /** Number of rows. */
  count: number
  forExcel: boolean
  /** Of each row of a workbook, with them. */
  pictures?: (Buffer | null)[]
  parsingWorkers: Pick<ParsingWorkers, 'writeMolblocks'>
}

type Writer = { mediaType: string; write: (exported: Exported) => Readable }

export const writers: Record<ScreenExport['format'], Writer> = {
  CSV: {
    mediaType: mediaTypes.csv,
    write: ({ wide: { columns, pages }, count, forExcel }) =>
      Readable.from(encodeRows('csv', { columns, forExcel, pages: pages(0, count) })),
  },
  XLSX: {
    mediaType: XLSX_TYPE,
    write: ({ wide: { columns, pages }, count, pictures }) =>
      writeXlsx({ columns, count, pages, mtime: new Date(), ...(pictures && { pictures }) }),
  },
  SDF: {
    mediaType: SDF_TYPE,
    write: ({ parsingWorkers, ...exported }) => Readable.from(writeSdf(parsingWorkers, exported)),
  },
}
