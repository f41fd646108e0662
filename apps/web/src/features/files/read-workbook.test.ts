import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readWorkbook } from './read-workbook.ts'

const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const pack = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])))

test('cells are read where they stand: shared, inline and formatted texts, numbers, gaps', () => {
  const workbook = pack({
    'xl/sharedStrings.xml':
      '<sst><si><t>name</t></si><si><r><t>smi</t></r><r><t>les</t></r></si></sst>',
    'xl/worksheets/sheet2.xml': sheet('<row><c r="A1"><v>9</v></c></row>'),
    'xl/worksheets/sheet1.xml': sheet(
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
        '<row r="2"><c r="A2"><v>7.5</v></c><c r="C2" t="inlineStr"><is><t>CCO &amp; x</t></is></c></row>',
    ),
  })
  expect(readWorkbook(workbook)).toEqual([
    ['name', '', 'smiles'],
    ['7.5', '', 'CCO & x'],
  ])
})

test.each([
  ['no archive', strToU8('SMILES,name')],
  ['an archive of something else', pack({ 'word/document.xml': '<w/>' })],
])('%s is refused with a sentence', (_, bytes) => {
  expect(() => readWorkbook(bytes)).toThrow(/^This is no Excel workbook/)
})
