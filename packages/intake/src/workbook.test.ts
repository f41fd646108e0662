import { expect, test } from 'vitest'
import { openWorkbook } from './workbook.ts'

const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const open = (parts: Record<string, string>) =>
  openWorkbook(
    () => parts,
    (part) => part,
  )
const readFirst = (xml: string, others: Record<string, string> = {}) =>
  open({ 'xl/worksheets/sheet1.xml': xml, ...others }).readRows(0)

test('cells keep their position: shared, inline and formatted texts, numbers, gaps', () => {
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>' +
    '<row r="3"><c r="A3"><v>7.5</v></c><c r="C3" t="inlineStr"><is><t>CCO &amp; x</t></is></c></row>'
  const texts = {
    'xl/sharedStrings.xml':
      '<sst><si><t>name</t></si><si><r><t>smi</t></r><r><t>les</t></r><rPh><t>kana</t></rPh></si></sst>',
  }
  expect(readFirst(sheet(rows), texts)).toEqual([
    ['name', '', 'smiles'],
    [],
    ['7.5', '', 'CCO & x'],
  ])
})

test('any sheet can be read, by name and in workbook order', () => {
  const workbook = open({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Notes &amp; more" r:id="rId2"/><sheet name="Kd" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet('<row><c r="A1"><v>1</v></c></row>'),
    'xl/worksheets/sheet2.xml': sheet('<row><c r="A1"><v>2</v></c></row>'),
  })
  expect(workbook.sheets).toEqual(['Notes & more', 'Kd'])
  expect([workbook.readRows(0), workbook.readRows(1)]).toEqual([[['2']], [['1']]])
})

test('without a list of sheets, they are numbered in the order of their parts', () => {
  const cell = (value: number) => sheet(`<row><c><v>${value}</v></c></row>`)
  const workbook = open({
    'xl/worksheets/sheet10.xml': cell(10),
    'xl/worksheets/sheet2.xml': cell(2),
  })
  expect(workbook.sheets).toEqual(['Sheet 1', 'Sheet 2'])
  expect(workbook.readRows(1)).toEqual([['10']])
})

test.each([
  ['a prefix of the name space', '<x:row><x:c><x:v>7</x:v></x:c></x:row>', [['7']]],
  ['a comment and an instruction', '<?x <row>?><!-- <row> --><row><c><v>7</v></c></row>', [['7']]],
  ['CDATA', '<row><c><v><![CDATA[a<b]]></v></c></row>', [['a<b']]],
  ['a > in an attribute', '<row x=">"><c y=\'>\'><v>7</v></c></row>', [['7']]],
  [
    'characters by their number',
    '<row><c><v>&#956;&#x3BC;&lt;&copy;</v></c></row>',
    [['μμ<&copy;']],
  ],
  ['empty rows and cells', '<row/><row><c/><c><v>7</v></c></row>', [[], ['', '7']]],
  ['an error value', '<row><c t="e"><v>#N/A</v></c><c><v>7</v></c></row>', [['', '7']]],
  ['a formula', '<row><c><f>A1+1</f><v>7</v></c></row>', [['7']]],
])('a sheet may contain %s', (_, rows, cells) => {
  expect(readFirst(sheet(rows))).toEqual(cells)
})

test.each(['<worksheet', '<a b="', '<!-- ', '<![CDATA[x', '<?xml'])(
  'a sheet that ends in %j is damaged',
  (xml) => {
    expect(() => readFirst(xml)).toThrow('The Excel workbook is damaged.')
  },
)

test('an archive of another format, or a damaged one, is rejected as a workbook', () => {
  const refusal = 'This is not an Excel workbook (.xlsx) but another zip archive'
  expect(() => open({ 'word/document.xml': '<w/>' })).toThrow(refusal)
  const unzip = () => {
    throw new Error('invalid zip data')
  }
  expect(() => openWorkbook(unzip, String)).toThrow(refusal)
})

test('files that are not part of a workbook, or too large, are not unpacked', () => {
  const asked: boolean[] = []
  const unzip = (filter: (part: { name: string; originalSize: number }) => boolean) => {
    asked.push(
      filter({ name: 'docProps/app.xml', originalSize: 1 }),
      filter({ name: 'xl/workbook.xml', originalSize: 65 * 1024 * 1024 }),
      filter({ name: 'xl/workbook.xml', originalSize: 64 * 1024 * 1024 }),
    )
    return {}
  }
  expect(() => openWorkbook(unzip, String)).toThrow('This is not an Excel workbook')
  expect(asked).toEqual([false, false, true])
})

test('hidden sheets, escaped characters, dates and floating-point tails are read as Excel shows them', () => {
  const workbook = open({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Lookup" state="hidden" r:id="rId1"/><sheet name="Series" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="0.00&quot;d&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': sheet('<row><c r="A1"><v>1</v></c></row>'),
    'xl/worksheets/sheet2.xml': sheet(
      '<row><c r="A1" t="inlineStr"><is><t>ID_x000D_</t></is></c><c r="B1" t="str"><v>a_x005F_b</v></c><c r="C1" s="1"><v>45992</v></c><c r="D1" s="2"><v>45992.5</v></c><c r="E1"><v>0.30000000000000004</v></c><c r="F1" s="3"><v>45992</v></c></row>',
    ),
  })
  expect(workbook.sheets).toEqual(['Series'])
  expect(workbook.readRows(0)).toEqual([
    ['ID\r', 'a_b', '2025-12-01', '2025-12-01 12:00', '0.3', '45992d'],
  ])
})

test.each([
  ['0.0&quot; µM&quot;', '0.5', '0.5 µM'],
  ['0.0\\ \\n\\M', '5', '5 nM'],
  ['&quot;&lt;&quot;0', '5', '<5'],
  ['&quot;&gt; &quot;#,##0&quot; nM&quot;;[Red]-0', '12500', '> 12500 nM'],
  ['0.0%', '0.45', '45%'],
  ['0.0,&quot;µM&quot;', '1500', '1.5µM'],
  ['0.0,', '1500', '1500'],
  ['#,##0.00_-;[Red](0)', '7.25', '7.25'],
  ['0.00E+00', '1.5E-9', '1.5E-9'],
  ['[&lt;1]0.00;0', '0.5', '0.5'],
])('a format that says more than the digits is read: %s', (code, value, shown) => {
  const styles = {
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
  }
  const cells = `<row><c s="0"><v>${value}</v></c><c s="1"><v>0.07</v></c></row>`
  expect(readFirst(sheet(cells), styles)).toEqual([[shown, '7%']])
})

test('truth is no number, and a formula without a result is not an empty cell', () => {
  const cells = '<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c><f>B2*1000</f></c></row>'
  expect(readFirst(sheet(cells))).toEqual([['TRUE', 'FALSE', '=B2*1000']])
})

test('a cell merged over rows is in each of them', () => {
  const rows =
    '<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="str"><v>CCO</v></c></row><row r="2"><c r="A2"><v>2</v></c></row><row r="3"><c r="A3"><v>3</v></c></row>'
  const xml = `<worksheet><sheetData>${rows}</sheetData><mergeCells><mergeCell ref="B1:B2"/></mergeCells></worksheet>`
  expect(readFirst(xml)).toEqual([['1', 'CCO'], ['2', 'CCO'], ['3']])
})
