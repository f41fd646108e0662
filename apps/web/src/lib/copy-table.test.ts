import { expect, test, vi } from 'vitest'
import { copyTable, toHtml, toTabs } from './copy-table.ts'

const table = {
  head: ['Compound', 'pKd'],
  rows: [
    ['a <b>\tc', '-7.1'],
    ['=1+1', '8.0'],
  ],
}

test('a copied table has a row per line, and text that begins like a formula is text', () => {
  expect(toTabs(table)).toBe("Compound\tpKd\na <b> c\t-7.1\n'=1+1\t8.0")
  expect(toHtml(table)).toContain('<tr><td>a &lt;b&gt;\tc</td><td>-7.1</td></tr>')
})

test('without rich clipboards the text is copied', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await copyTable(table)
  expect(writeText).toHaveBeenCalledExactlyOnceWith(toTabs(table))
})
