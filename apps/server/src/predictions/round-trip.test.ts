/** What a screen exports is read back unchanged by the reader of pages, API and command line. */
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { readFileSync } from 'node:fs'
import { fileHeading } from '@pkdex/contract'
import { openRdkit, readMolblock, standardise } from '@pkdex/biochem'
import {
  chooseValueColumns,
  commaOf,
  compoundRows,
  headingKind,
  linesOf,
  readLines,
  readTable,
  readTextTable,
  readValueText,
  type Sheet,
} from '@pkdex/intake'
import { expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import { writers } from './screen-exports.ts'
import { withStandard } from './standard-smiles.ts'

const parsingWorkers = openTestParsing()

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

type Exported = { columns: string[]; rows: ({ smiles: string } & Record<string, unknown>)[] }

function exported(
  format: keyof typeof writers,
  forExcel = false,
  some: Exported = { columns, rows },
) {
  async function* pages(from: number, to: number) {
    yield some.rows.slice(from, to).map((row) => withStandard({ ...row }, row.smiles))
  }
  const wide = { columns: some.columns, pages }
  const count = some.rows.length
  return writers[format].write({ userId: 'u', wide, count, forExcel, parsingWorkers })
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

/** The series of MET in the samples, under the worst names, with predictions beside its values. */
const series = readFileSync(
  new URL('../../../../samples/series/compounds.tsv', import.meta.url),
  'utf8',
)
  .split('\n')
  .map((line) => line.split('\t'))
  .filter(([system]) => system === 'ChEMBL_MET_CHEMBL3418289')
  .map(([, , smiles = '', pk = ''], at) => ({
    row: at + 1,
    compound: worst[at] ?? `M-${at}`,
    smiles,
    'IC50 (µM)': `${at % 9 === 0 ? '>' : ''}${(10 ** (6 - Number(pk))).toPrecision(4)}`,
    'measured, by': at % 2 === 0 ? 'Jane; lab "2"' : '',
    pKd: 7.25,
    'pKd (sequence)': 6.5,
    'Model version': '2026-11',
  }))
const seriesColumns = Object.keys(series[0] ?? {})
const rdkit = await openRdkit()

function compoundsOf(sheet: Sheet) {
  return compoundRows(sheet).map(({ name, smiles, block, own }) => {
    const read = block === undefined ? smiles : (readMolblock(rdkit, block) ?? '')
    const standard = standardise(rdkit, read)
    return [name, standard.ok ? standard.standardSmiles : standard.reason, Object.fromEntries(own)]
  })
}

function valuesOf(sheet: Sheet) {
  const { columns: chosen, rivals, doubt } = chooseValueColumns(sheet)
  expect([rivals, doubt]).toEqual([[], null])
  const lines = linesOf(sheet, chosen)
  const { lines: read, rejected } = readLines(lines, {
    otherwise: { type: 'Kd', unit: undefined },
    fromHeading: headingKind(sheet.heading[chosen.value ?? -1] ?? ''),
    comma: commaOf(lines.map(({ value }) => value)),
  })
  expect(rejected).toEqual([])
  return read.map(({ measured: { type, value, bound } }) => [type, value, bound])
}

test.each(['CSV', 'XLSX', 'SDF'] as const)(
  'a published series under the worst names comes back from %s: compounds, values, units, columns',
  async (format) => {
    const bytes = await buffer(exported(format, true, { columns: seriesColumns, rows: series }))
    const sheet = readTable(bytes)
    const others = seriesColumns.filter((name) => !['compound', 'smiles'].includes(name))
    const compounds = compoundsOf(sheet).map(([name, smiles, own]) => [
      name,
      smiles,
      Object.fromEntries(Object.entries(own ?? {}).filter(([column]) => others.includes(column))),
    ])
    expect(compounds).toEqual(
      series.map((one) => {
        const standard = standardise(rdkit, one.smiles)
        const own = Object.entries(one).filter(([column]) => others.includes(column))
        return [
          one.compound,
          standard.ok && standard.standardSmiles,
          Object.fromEntries(own.map(([column, cell]) => [column, String(cell)])),
        ]
      }),
    )
    expect(valuesOf(sheet)).toEqual(
      series.map((one) => {
        const said = one['IC50 (µM)']
        const isBound = said.startsWith('>')
        return ['IC50', `IC50 ${said.replace('>', '> ')} µM`, isBound ? 'upper' : null]
      }),
    )
  },
)

test('own values of a copy of all data come back as they were', async () => {
  const stored = [
    ['IC50 > 10 µM', 5, 'upper'],
    ['Ki 3.5 nM', 8.456, null],
    ['pKd 7.2', 7.2, null],
    ['pKi < 5', 5, 'upper'],
    ['Kd 1.25E-7 M', 6.903, null],
  ] as const
  const copied = stored.map(([value, pk, bound], at) => {
    const type = /IC50|K[id]/.exec(value)?.[0]
    return { target: 'MET', compound: worst[at], smiles: 'CCO', type, value, pk, bound }
  })
  async function* pages() {
    yield copied
  }
  const keys = Object.keys(copied[0] ?? {})
  const encoded = encodeRows('csv', { columns: keys, headingOf: fileHeading, pages: pages() })
  const csv = await text(Readable.from(encoded))
  const read = readValueText(csv, { type: 'Kd', unit: undefined })
  expect(read.rejected).toEqual([])
  const told = read.lines.map(({ measured: { value, pk, bound } }) => [
    value,
    Math.round(1000 * pk) / 1000,
    bound,
  ])
  expect(told).toEqual(stored)
})
