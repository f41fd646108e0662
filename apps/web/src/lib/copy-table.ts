/** Copies a table that pastes into Excel, Word and PowerPoint: as HTML with structures, and as text with tabs. */
import { defuse } from '@pkdex/intake'
import { toPngAddress } from './copy-picture.ts'
import { saveFile } from './save-file.ts'

export type CopiedTable = {
  head: string[]
  rows: string[][]
  /** Of each row. */
  smiles: string[]
  /** Pictures of the rows as `data:` URLs; requested only for a copy. */
  draw?: (smiles: string[]) => Promise<(string | null)[]>
}

/** More pictures make a clipboard that Office does not accept. */
const PICTURES_MAX = 200

/** The browser takes promises, because a copy must begin with the click. */
export async function copyTable(table: CopiedTable | Promise<CopiedTable>): Promise<void> {
  const read = Promise.resolve(table)
  if (!('ClipboardItem' in window)) return navigator.clipboard.writeText(toTabs(await read))
  const blobOf = (type: string, text: Promise<string>) =>
    text.then((whole) => new Blob([whole], { type }))
  const html = read.then(async (there) => toHtml(there, await drawRows(there)))
  const parts = {
    'text/html': blobOf('text/html', html),
    'text/plain': blobOf('text/plain', read.then(toTabs)),
  }
  // Whoever copies is told; a browser without such a clipboard never looks at them.
  for (const part of Object.values(parts)) part.catch(() => undefined)
  return navigator.clipboard.write([new ClipboardItem(parts)])
}

/** A table is worth copying without its pictures. */
async function drawRows({ smiles, draw }: CopiedTable): Promise<(string | null)[]> {
  if (draw === undefined || smiles.length > PICTURES_MAX) return []
  try {
    const drawn = await draw(smiles)
    return await Promise.all(drawn.map(async (address) => address && toPngAddress(address)))
  } catch {
    return []
  }
}

export function saveTable({ head, rows }: CopiedTable, filename: string): void {
  const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  const lines = [head, ...rows].map((row) => row.map((cell) => quote(defuse(cell))).join(','))
  saveFile(new Blob([[...lines, ''].join('\r\n')], { type: 'text/csv' }), filename)
}

export function toTabs({ head, rows }: Rows): string {
  return [head, ...rows]
    .map((row) => row.map((cell) => defuse(cell.replaceAll(/\s+/g, ' '))).join('\t'))
    .join('\n')
}

/** `pictures`: of each row, if there are any. */
export function toHtml({ head, rows }: Rows, pictures: (string | null)[] = []): string {
  const line = (cells: string[], tag: 'th' | 'td', picture?: string) =>
    `<tr>${picture === undefined ? '' : `<${tag}>${picture}</${tag}>`}${cells
      .map((cell) => `<${tag}>${escape(defuse(cell))}</${tag}>`)
      .join('')}</tr>`
  const hasPictures = pictures.length > 0
  const body = rows.map((row, at) =>
    line(row, 'td', hasPictures ? imageOf(pictures[at]) : undefined),
  )
  const top = line(head, 'th', hasPictures ? 'Structure' : undefined)
  return `<table><thead>${top}</thead><tbody>${body.join('')}</tbody></table>`
}

const [PICTURE_WIDTH, PICTURE_HEIGHT] = [150, 80]

function imageOf(address: string | null | undefined): string {
  if (!address) return ''
  return `<img src="${address}" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}">`
}

type Rows = Pick<CopiedTable, 'head' | 'rows'>

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escape(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? sign)
}
