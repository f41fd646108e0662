/**
 * A file that one door reads is read by all, with the same result: the upload page, the API, the command line, own values
 * (page and API), and lists of users where the format is one of theirs.
 */
import { chooseValueColumns, compoundRows, readTable, readValueText } from '@pkdex/intake'
import { gzipSync, strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
// oxlint-disable-next-line no-restricted-imports -- a door of the server
import { readUserList } from '../apps/server/src/admin-users/read-user-list.ts'
import { refusedRows, toLines } from '../apps/web/src/features/files/compound-table.ts'
import { kindOf, toValueLines } from '../apps/web/src/features/measurements/value-columns.ts'
import {
  type Fixture as Door,
  onCommandLine,
  openOnPage,
  rdkit,
  splitOnServer,
  standard,
  textOfPage,
} from './doors.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string) => Uint8Array.from(Buffer.from(`\uFEFF${text}`, 'utf16le'))
const utf16be = (text: string) => Uint8Array.from(Buffer.from(`\uFEFF${text}`, 'utf16le').swap16())
const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

const heading = ['ID', 'SMILES', 'Ki (µM)', 'Note']
const rows = [
  ['A-1', 'CC(C)Cc1ccc(cc1)C(C)C(=O)O', '0.5', 'first'],
  ['A-2', 'CC(=O)Oc1ccccc1C(=O)O', '12.5', 'second, with comma'],
  ['β-3', 'Cn1cnc2c1c(=O)n(C)c(=O)n2C', '3', ''],
]
const ascii = rows.map(([id = '', ...others]) => [id.replace('β', 'B'), ...others])
const quoted = (cell: string) => (/[",;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const table = (delimiter: string, cells: string[][] = [heading, ...rows]) =>
  cells.map((row) => row.map(quoted).join(delimiter)).join('\n')

/** A workbook of sheets; a cell is its XML, or a text. */
type SheetXml = { name: string; state?: string; cells: string[][]; more?: string }
function workbook(sheets: SheetXml[], parts: Record<string, string> = {}): Uint8Array {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const cellOf = (cell: string) =>
    cell.startsWith('<c') ? cell : `<c t="inlineStr"><is><t>${escape(cell)}</t></is></c>`
  const listed = sheets.map(
    ({ name, state = 'visible' }, at) => `<sheet name="${name}" state="${state}" r:id="r${at}"/>`,
  )
  const relations = sheets.map(
    (_, at) => `<Relationship Id="r${at}" Target="worksheets/sheet${at}.xml"/>`,
  )
  const files: [string, string][] = [
    ['[Content_Types].xml', '<Types/>'],
    ['xl/workbook.xml', `<workbook><sheets>${listed.join('')}</sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels', `<Relationships>${relations.join('')}</Relationships>`],
    ...sheets.map(({ cells, more = '' }, at): [string, string] => {
      const body = cells.map((row) => `<row>${row.map(cellOf).join('')}</row>`).join('')
      return [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet><sheetData>${body}</sheetData>${more}</worksheet>`,
      ]
    }),
    ...Object.entries(parts),
  ]
  return zipSync(Object.fromEntries(files.map(([name, xml]) => [name, strToU8(xml)])))
}

const blocks = rows.map(([, smiles = '']) => {
  using molecule = rdkit.get_mol(smiles)
  return molecule?.get_molblock() ?? ''
})
const sdf = (end: string, version: (block: string) => string = (block) => block) =>
  rows
    .map(([id, , ki, note], at) => {
      const [, ...block] = version(blocks[at] ?? '')
        .trimEnd()
        .split('\n')
      const fields = [
        ['Ki (µM)', ki],
        ['Note', note],
      ]
        .filter(([, cell]) => cell !== '')
        .map(([name, cell]) => `>  <${name}>  (${at + 1})\n${cell}\n`)
      return [id, ...block, ...fields, '$$$$', ''].join('\n')
    })
    .join('')
    .replaceAll('\n', end)

const list = rows.map(([id = '', smiles = '']) => `${smiles} ${id}`).join('\n')

/** Whether a file has values, and a form that a list of users can have. */
type Fixture = Door & { has?: 'names' | 'values'; ascii?: true }
const fixtures: Record<string, Fixture> = {
  'UTF-8, commas': { bytes: utf8(table(',')), name: 'a.csv' },
  'a byte order mark': { bytes: utf8(`\uFEFF${table(',')}`), name: 'a.csv' },
  'Windows-1252, semicolons': {
    bytes: latin1(table(';', [heading, ...ascii])),
    name: 'a.csv',
    ascii: true,
  },
  'Windows-1252, tabs': {
    bytes: latin1(table('\t', [heading, ...ascii])),
    name: 'a.txt',
    ascii: true,
  },
  'UTF-16, tabs, as Excel saves Unicode text': { bytes: utf16(table('\t')), name: 'a.txt' },
  'UTF-16 of the other order': { bytes: utf16be(table(',')), name: 'a.csv' },
  pipes: { bytes: utf8(table('|')), name: 'a.txt' },
  'sep= and semicolons': { bytes: utf8(`sep=;\n${table(';')}`), name: 'a.csv' },
  'sep= and pipes': {
    bytes: utf8(`sep=|\r\n${table('|').replaceAll('\n', '\r\n')}`),
    name: 'a.csv',
  },
  'CRLF and blank lines': {
    bytes: utf8(`\r\n${table(',').replaceAll('\n', '\r\n\r\n')}\r\n`),
    name: 'a.csv',
  },
  'CR alone': { bytes: utf8(table(',').replaceAll('\n', '\r')), name: 'a.csv' },
  'every cell in quotes': {
    bytes: utf8(
      [heading, ...rows].map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'),
    ),
    name: 'a.csv',
  },
  'title lines': {
    bytes: utf8(`Project X\nExported 2026-11-28,,,\n\n${table(',')}`),
    name: 'a.csv',
  },
  'title lines and semicolons': { bytes: utf8(`Series 7;;;\n;;;\n${table(';')}`), name: 'a.csv' },
  'a comment above and between': {
    bytes: utf8(table(',').replace('\nA-2', '\n# a comment\nA-2').replace(/^/, '# exported\n')),
    name: 'a.csv',
  },
  'a decimal comma': {
    bytes: utf8(
      table(';', [
        heading,
        ...rows.map((row) => row.map((cell, at) => (at === 2 ? cell.replace('.', ',') : cell))),
      ]),
    ),
    name: 'a.csv',
  },
  gzip: { bytes: gzipSync(utf8(table(','))), name: 'a.csv.gz' },
  'a workbook': { bytes: workbook([{ name: 'Kd', cells: [heading, ...rows] }]), name: 'a.xlsx' },
  'a workbook with a hidden sheet first': {
    bytes: workbook([
      {
        name: 'Lookup',
        state: 'hidden',
        cells: [
          ['ID', 'SMILES'],
          ['L', 'CCO'],
        ],
      },
      { name: 'Kd', cells: [heading, ...rows] },
    ]),
    name: 'a.xlsx',
  },
  'a workbook with a very hidden sheet': {
    bytes: workbook([
      {
        name: 'Lookup',
        state: 'veryHidden',
        cells: [
          ['ID', 'SMILES'],
          ['L', 'CCO'],
        ],
      },
      { name: 'Kd', cells: [heading, ...rows] },
    ]),
    name: 'a.xlsx',
  },
  'a workbook with a merged title': {
    bytes: workbook([
      {
        name: 'Kd',
        cells: [['Series 7'], [], heading, ...rows],
        more: '<mergeCells count="1"><mergeCell ref="A1:D1"/></mergeCells>',
      },
    ]),
    name: 'a.xlsx',
  },
  'a workbook with numbers as Excel stores them': {
    bytes: workbook([
      {
        name: 'Kd',
        cells: [
          heading,
          ...rows.map(([id = '', smiles = '', ki = '', note = '']) => [
            id,
            smiles,
            `<c><v>${ki === '0.5' ? '0.50000000000000004' : ki}</v></c>`,
            note,
          ]),
        ],
      },
    ]),
    name: 'a.xlsx',
  },
  'a workbook with _xHHHH_': {
    bytes: workbook([
      { name: 'Kd', cells: [['ID_x000D_', 'SMILES', 'Ki (_x00B5_M)', 'Note'], ...rows] },
    ]),
    name: 'a.xlsx',
  },
  'an SD file': { bytes: utf8(sdf('\n')), name: 'a.sdf' },
  'an SD file of Windows, gzipped': { bytes: gzipSync(utf8(sdf('\r\n'))), name: 'a.sdf.gz' },
  'an SD file of UTF-16': { bytes: utf16(sdf('\n')), name: 'a.sdf' },
  lines: { bytes: utf8(list), name: 'a.smi', has: 'names' },
  'lines with a heading and comments': {
    bytes: utf8(`# made by hand\nSMILES name\n${list.replace('\n', '\n\n# more\n')}\n`),
    name: 'a.smi',
    has: 'names',
  },
  'lines with tabs': { bytes: utf8(list.replaceAll(' ', '\t')), name: 'a.smi', has: 'names' },
  'lines with the name first': {
    bytes: utf8(rows.map(([id, smiles]) => `${id} ${smiles}`).join('\n')),
    name: 'a.txt',
    has: 'names',
  },
  'gzipped lines': { bytes: gzipSync(utf8(list)), name: 'a.smi.gz', has: 'names' },
  'columns of another order': {
    bytes: utf8(
      table(
        ',',
        [heading, ...rows].map(([id = '', smiles = '', ki = '', note = '']) => [
          note,
          ki,
          smiles,
          id,
        ]),
      ),
    ),
    name: 'a.csv',
  },
  'an empty picture column first': {
    bytes: utf8(table(',', [['Structure', ...heading], ...rows.map((row) => ['', ...row])])),
    name: 'a.csv',
  },
  'an inch mark in a bare cell': {
    bytes: utf8(table(',').replace('first', '5" tube')),
    name: 'a.csv',
  },
}

function api(bytes: Uint8Array) {
  const { molecules, rejected } = splitOnServer(bytes)
  expect(rejected).toEqual([])
  return molecules.map(standard)
}

const expected = (isAscii: boolean) =>
  (isAscii ? ascii : rows).map(([name = '', smiles = '']) => standard({ name, smiles }))

test.each(Object.entries(fixtures))(
  'page, API and command line read the same compounds from %s',
  async (_, fixture) => {
    const right = expected(fixture.ascii === true)
    expect(api(utf8(await textOfPage(fixture)))).toEqual(right)
    expect(api(fixture.bytes)).toEqual(right)
    expect(onCommandLine(fixture).rows.map(standard)).toEqual(right)
  },
)

test.each(Object.entries(fixtures).filter(([, { has }]) => has !== 'names'))(
  'own columns are the same at every door: %s',
  async (_, fixture) => {
    const { table: found, columns } = await openOnPage(fixture)
    const kept = found === null ? [] : columns.kept.map((at) => found.heading[at])
    const own = compoundRows(readTable(fixture.bytes)).map((row) => row.own)
    expect(own[0]?.map(([column]) => column)).toEqual(kept)
    const written = onCommandLine(fixture).rows
    for (const [at, row] of own.entries()) {
      for (const [column, cell] of row) expect(written[at]?.own[column]).toBe(cell)
    }
  },
)

test.each(Object.entries(fixtures).filter(([, { has }]) => has !== 'names'))(
  'the page and the API read the same own values from %s',
  async (_, fixture) => {
    const source = await openOnPage(fixture)
    if (source.table === null) throw new Error('no table')
    const { columns, rivals } = chooseValueColumns(source.table)
    expect(rivals).toEqual([])
    const title = source.table.heading[columns.value ?? -1] ?? ''
    const kind = kindOf(title, { type: 'Kd', unit: 'nM' })
    const preview = toValueLines(source.table, { columns, kind, comma: null })
    const sent = readValueText(preview.text, undecided)
    const isText = fixture.name.endsWith('.csv') || fixture.name.endsWith('.txt')
    const pasted = isText ? [readValueText(readTable(fixture.bytes).text, undecided)] : []
    for (const { lines } of [preview, sent, ...pasted]) {
      expect(lines.map(({ measured }) => [measured.type, measured.pk.toFixed(2)])).toEqual([
        ['Ki', '6.30'],
        ['Ki', '4.90'],
        ['Ki', '5.52'],
      ])
    }
  },
)
const undecided = { type: 'Kd', unit: undefined } as const

test('a row with more cells than the heading is refused at every door', async () => {
  const bytes = utf8('SMILES,Name\nCCO,1,2-diol\nCCN,ethylamine')
  const reason = expect.stringContaining('more cells than the heading')
  expect(splitOnServer(bytes)).toMatchObject({
    molecules: [{ name: 'ethylamine' }],
    rejected: [{ line: 2, reason }],
  })
  const { rows: read } = onCommandLine({ bytes, name: 'a.csv' })
  expect(read.map((row) => row.reason)).toEqual([reason, undefined])
  const { table: found, columns } = await openOnPage({ bytes, name: 'a.csv' })
  if (found === null) throw new Error('no table')
  expect(refusedRows(found)).toEqual([expect.stringMatching(/^Line 2: .*more cells/)])
  expect(toLines(found, columns)).toMatchObject({ count: 1, skipped: 0 })
})

const users = [
  ['Email', 'Name', 'Credits', 'Note'],
  ['ada@lab.example', 'Ada, Countess', '2.5', 'café'],
  ['chidi@lab.example', '', '', ''],
]

test.each([
  ['commas', users.map((row) => row.map(quoted).join(',')).join('\n')],
  ['semicolons', users.map((row) => row.map(quoted).join(';')).join('\n')],
  ['tabs', users.map((row) => row.join('\t')).join('\n')],
  ['pipes', users.map((row) => row.map(quoted).join('|')).join('\r\n')],
  ['sep=', `sep=;\n${users.map((row) => row.map(quoted).join(';')).join('\n')}`],
  ['a byte order mark', `\uFEFF${users.map((row) => row.map(quoted).join(',')).join('\n')}`],
  ['title lines', `Course 2026\n\n${users.map((row) => row.map(quoted).join(',')).join('\n')}`],
])('a list of users has %s', (_, text) => {
  expect(
    readUserList(text).map(({ email, name, credits, note }) => [email, name, credits, note]),
  ).toEqual([
    ['ada@lab.example', 'Ada, Countess', 2.5, 'café'],
    ['chidi@lab.example', '', null, ''],
  ])
})
