/** Copies a table that pastes into Excel, Word and PowerPoint: as HTML, and as text with tabs. */
import { defuse } from '@pkdex/intake'

export type CopiedTable = { head: string[]; rows: string[][] }

export async function copyTable(table: CopiedTable): Promise<void> {
  const text = toTabs(table)
  if (!('ClipboardItem' in window)) return navigator.clipboard.writeText(text)
  const parts = { 'text/html': toHtml(table), 'text/plain': text }
  const blobs = Object.entries(parts).map(([type, part]) => [type, new Blob([part], { type })])
  return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
}

export function toTabs({ head, rows }: CopiedTable): string {
  return [head, ...rows]
    .map((row) => row.map((cell) => defuse(cell.replaceAll(/\s+/g, ' '))).join('\t'))
    .join('\n')
}

export function toHtml({ head, rows }: CopiedTable): string {
  const line = (cells: string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(defuse(cell))}</${tag}>`).join('')}</tr>`
  const body = rows.map((row) => line(row, 'td')).join('')
  return `<table><thead>${line(head, 'th')}</thead><tbody>${body}</tbody></table>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function escape(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? sign)
}
