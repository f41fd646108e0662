/** What a screen exports is read back unchanged by the reader of pages, API and command line. */
import { buffer, text } from 'node:stream/consumers'
import { readTable, readTextTable } from '@pkdex/intake'
import { afterAll, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { writers } from './screen-exports.ts'
import { withStandard } from './standard-smiles.ts'

const parsingWorkers = openTestParsing()
afterAll(() => parsingWorkers.close())

/** Names and texts that tables of other programs lose or change. */
const worst = [
  'plain',
  '-OH analog',
  '=1+1',
  '@home',
  '+1.2',
  '-9.3',
  '-1,5',
  '-',
  '1E5',
  'MAR1',
  '50-78-2',
  '00123',
  "'quoted'",
  "'=1",
  "=sum('A')'",
  '2"-O-galloyl',
  '5" tube',
  'a;b|c',
  'a, b and c',
  'µ-opioid, α1A',
  '_x000D_',
  '_x005F_x0041_',
  '$$$$',
  '> <IC50>',
  'M  END',
  'sep=;',
  '<b>&amp;</b>',
]
const columns = ['row', 'compound', 'smiles', 'note', 'target (input)', 'IC50 (nM)', 'pKd']
const rows = worst.map((name, at) => ({
  row: String(at + 1),
  compound: name,
  smiles: `C${'C'.repeat(at)}O`,
  note: name,
  'target (input)': name,
  'IC50 (nM)': `${at + 0.5}`,
  pKd: Math.round(10 * (at - 9.3)) / 10,
}))

function exported(format: keyof typeof writers, forExcel = false) {
  async function* pages(from: number, to: number) {
    yield rows.slice(from, to).map((row) => withStandard({ ...row }, row.smiles))
  }
  const wide = { columns, pages }
  return writers[format].write({ userId: 'u', wide, count: rows.length, forExcel, parsingWorkers })
}

const expected = rows.map((row) => Object.values(row).map(String))

test.each([[false], [true]])('CSV, for Excel: %s', async (forExcel) => {
  const csv = await text(exported('CSV', forExcel))
  expect(csv.startsWith('\uFEFF')).toBe(forExcel)
  const table = readTextTable(csv)
  expect(table?.heading).toEqual(columns)
  expect(table?.rows).toEqual(expected)
})

test('CSV: numbers stay numbers, and what a spreadsheet would run does not begin like a formula', async () => {
  const csv = await text(exported('CSV'))
  expect(csv).toMatch(/^6,-9\.3,[^\r]*,-4\.3\d*\r$/m)
  expect(csv).toMatch(/^5,\+1\.2,/m)
  const cells = csv.split(/[\r\n,]+/).map((cell) => cell.replace(/^"/, ''))
  expect(cells.filter((cell) => /^[=@＝]|^[+-][^\d]/.test(cell))).toEqual([])
})

test('XLSX', async () => {
  const table = readTable(await buffer(exported('XLSX')))
  expect(table.heading).toEqual(columns)
  expect(table.rows).toEqual(expected)
})

test('SDF: each column is a field, and none can end a record or begin another field', async () => {
  const { records } = readTextTable(await text(exported('SDF')))
  expect(records.map(({ reason }) => reason)).toEqual(rows.map(() => null))
  expect(records.map(({ title }) => title.trim())).toEqual(worst)
  expect(records.every(({ block }) => block.includes('V2000'))).toBe(true)
  const fields = records.map((record) => columns.map((name) => record.fields.get(name)?.trim()))
  expect(fields).toEqual(expected)
})
