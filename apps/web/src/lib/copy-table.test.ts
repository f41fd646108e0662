import { expect, test, vi } from 'vitest'
import { copyTable, toHtml, toTabs } from './copy-table.ts'

const table = {
  head: ['Compound', 'pKd'],
  rows: [
    ['a <b>\tc', '-7.1'],
    ['=1+1', '8.0'],
  ],
  smiles: ['C', 'CC'],
}

test('a copied table has a row per line, and text that begins like a formula is text', () => {
  expect(toTabs(table)).toBe("Compound\tpKd\na <b> c\t-7.1\n'=1+1\t8.0")
  expect(toHtml(table)).toContain('<tr><td>a &lt;b&gt;\tc</td><td>-7.1</td></tr>')
})

test('a copied table begins each row with its structure, if that could be drawn', () => {
  const html = toHtml(table, ['data:image/png;base64,AA==', null])
  expect(html).toContain('<th>Structure</th><th>Compound</th>')
  expect(html).toContain(
    '<tr><td><img src="data:image/png;base64,AA==" width="150" height="80"></td>',
  )
  expect(html).toContain("<tr><td></td><td>'=1+1</td>")
})

test('without rich clipboards the text is copied', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await copyTable(table)
  expect(writeText).toHaveBeenCalledExactlyOnceWith(toTabs(table))
})
