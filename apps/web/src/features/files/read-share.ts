/** A file as a table, or one worker's share of the records of an SD file, with their molecules as SMILES. */
import { readTable, type Sheet } from '@pkdex/intake'

export type ShareRequest = {
  bytes: Uint8Array
  sheet: number | undefined
  /** Which of how many shares. */
  share: number
  shares: number
}

/** `sheet` has the rows of the share; `unread`: records that are not read. */
export type Share = { sheet: Sheet; unread: string[] }

/** Larger texts are not shown in a text area. */
const SHOWN_CHARACTERS_MAX = 200_000

/** Null for a share of a file that is read as a whole. Throws an error with a message for the user. */
export async function readShare(
  { bytes, sheet: chosen, share, shares }: ShareRequest,
  onProgress: (done: number, total: number) => void,
): Promise<Share | null> {
  const sheet = readTable(bytes, { sheet: chosen })
  if (sheet.kind !== 'records') {
    const isShown = sheet.kind === 'list' || sheet.text.length <= SHOWN_CHARACTERS_MAX
    return share === 0 ? { sheet: isShown ? sheet : { ...sheet, text: '' }, unread: [] } : null
  }
  const [from, to] = [share, share + 1].map((at) => Math.floor((at * sheet.rows.length) / shares))
  const { readSdf } = await import('./read-sdf.ts')
  const read = await readSdf(sheet, { from, to }, (done) => onProgress(done, sheet.rows.length))
  // The molecules are in the rows now.
  return { ...read, sheet: { ...read.sheet, records: [], text: '' } }
}
