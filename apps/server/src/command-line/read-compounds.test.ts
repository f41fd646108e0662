import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readCompounds } from './read-compounds.ts'

const cells = (rows: string[][]) =>
  rows
    .map((row) => row.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join(''))
    .map((row) => `<row>${row}</row>`)
    .join('')

function workbook(...sheets: [name: string, rows: string[][]][]): Uint8Array {
  const names = sheets.map(([name], at) => `<sheet name="${name}" r:id="r${at}"/>`)
  const relations = sheets.map(
    (_, at) => `<Relationship Id="r${at}" Target="worksheets/${at}.xml"/>`,
  )
  const parts: [string, string][] = [
    ['xl/workbook.xml', `<workbook><sheets>${names.join('')}</sheets></workbook>`],
    ['xl/_rels/workbook.xml.rels', `<Relationships>${relations.join('')}</Relationships>`],
    ...sheets.map(([, rows], at): [string, string] => [
      `xl/worksheets/${at}.xml`,
      `<worksheet><sheetData>${cells(rows)}</sheetData></worksheet>`,
    ]),
  ]
  return zipSync(Object.fromEntries(parts.map(([name, xml]) => [name, strToU8(xml)])))
}

const compounds = [['Name', 'SMILES', 'IC50'], ['ethanol', 'CCO', '12'], [], ['amine', 'CCN', '']]
const read = (bytes: Uint8Array, more: { filename?: string; sheet?: string } = {}) =>
  readCompounds(bytes, { filename: 'a.xlsx', choice: {}, ...more })

test('SPEC 28.8: the rows of a workbook keep their columns; empty rows are skipped', async () => {
  const { columns, rows } = await read(workbook(['Kd', [[], ...compounds]]))
  expect(columns).toEqual(['Name', 'SMILES', 'IC50'])
  expect(rows).toEqual([
    { smiles: 'CCO', name: 'ethanol', own: { Name: 'ethanol', SMILES: 'CCO', IC50: '12' } },
    { smiles: 'CCN', name: 'amine', own: { Name: 'amine', SMILES: 'CCN', IC50: '' } },
  ])
})

test('a workbook from a pipe is recognised without its name', async () => {
  const { rows } = await read(workbook(['Kd', compounds]), { filename: 'Standard input' })
  expect(rows).toHaveLength(2)
})

test('SPEC 28.8: one of several sheets must be selected, and the error lists them', async () => {
  const both = workbook(['Notes', [['see Kd']]], ['Kd', compounds])
  expect((await read(both, { sheet: 'Kd' })).rows).toHaveLength(2)
  await expect(read(both)).rejects.toThrow(
    'a.xlsx has 2 sheets. Choose one with --sheet: "Notes", "Kd".',
  )
  await expect(read(both, { sheet: 'kd' })).rejects.toThrow(
    'a.xlsx has no sheet "kd". It has "Notes", "Kd".',
  )
})

test.each([
  ['a.xlsx', strToU8('SMILES\nCCO\n'), undefined, 'a.xlsx cannot be read: This is not an Excel'],
  [
    'a.zip',
    zipSync({ 'a.csv': strToU8('SMILES') }),
    undefined,
    'a.zip cannot be read: This is not',
  ],
  ['a.csv', strToU8('SMILES\nCCO\n'), 'Kd', 'a.csv is not a workbook (.xlsx), so --sheet cannot'],
  ['a.xlsx', workbook(['Kd', [['a'], ['7']]]), undefined, 'The table has no SMILES column.'],
])('%s is refused with a message', async (filename, bytes, sheet, sentence) => {
  await expect(read(bytes, { filename, ...(sheet && { sheet }) })).rejects.toThrow(sentence)
})
