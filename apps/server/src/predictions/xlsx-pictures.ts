/** Draws the structures of a workbook. Its rows are read first, which their number allows. */
import { CORE_COMPOUNDS_MAX, PICTURE_ROWS_MAX } from '@pkdex/contract'
import { type ParsingWorkers, toPng } from '#server/files/parsing/service.ts'
import { AppError } from '#server/platform/errors.ts'
import { standardOf } from './standard-smiles.ts'
import type { WideRow, WideTable } from './own-columns.ts'

type Drawer = {
  userId: string
  gone: AbortSignal
  parsingWorkers: Pick<ParsingWorkers, 'drawCompounds' | 'findCore'>
}

/** Twice the width in the sheet, for high-resolution screens and print. */
const WIDTH_PX = 300
/** A thousand drawings of drugs take 6 MB; later rows have no picture. */
const BYTES_MAX = 32 * 1024 * 1024
const DRAWN_AT_ONCE = 60

type Table = { wide: WideTable; count: number }

export async function withPictures(
  { wide, count }: Table,
  { userId, gone, parsingWorkers }: Drawer,
): Promise<Table & { pictures: (Buffer | null)[] }> {
  if (count > PICTURE_ROWS_MAX) {
    const [most, all] = [PICTURE_ROWS_MAX, count].map((one) => one.toLocaleString('en'))
    throw new AppError(
      'invalid_request',
      `A workbook with structures has at most ${most} rows; these are ${all}. Filter them, or export without structures.`,
    )
  }
  const rows: WideRow[] = []
  for await (const page of wide.pages(0, count)) rows.push(...page)
  const all = [...new Set(rows.flatMap((row) => standardOf(row) ?? []))]
  const core = await parsingWorkers.findCore(userId, all.slice(0, CORE_COMPOUNDS_MAX))
  const drawn = new Map<string, Buffer>()
  let bytes = 0
  for (let from = 0; from < all.length && bytes < BYTES_MAX; from += DRAWN_AT_ONCE) {
    gone.throwIfAborted()
    const smiles = all.slice(from, from + DRAWN_AT_ONCE)
    const pictures = await parsingWorkers.drawCompounds(userId, { smiles, core, theme: 'light' })
    const encoded = await Promise.all(
      pictures.map(async (picture) => picture && toPng(picture, WIDTH_PX)),
    )
    for (const [at, png] of encoded.entries()) {
      if (png === null) continue
      bytes += png.length
      drawn.set(smiles[at] ?? '', png)
    }
  }
  return {
    wide: {
      ...wide,
      async *pages(from, to) {
        yield rows.slice(from, to)
      },
    },
    count,
    pictures: rows.map((row) => drawn.get(standardOf(row) ?? '') ?? null),
  }
}
