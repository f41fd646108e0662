/** Imports a table of measured values: sheet and columns can be selected, and skipped lines keep type and unit. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { MeasurementsPage } from './measurements-page.tsx'

const cells = (rows: string[][]) =>
  `<worksheet><sheetData>${rows
    .map(
      (row) =>
        `<row>${row
          .map(
            (cell, at) =>
              `<c r="${'ABCDE'[at]}1" t="inlineStr"><is><t>${cell.replace('>', '&gt;')}</t></is></c>`,
          )
          .join('')}</row>`,
    )
    .join('')}</sheetData></worksheet>`

function workbook(): File {
  const parts = {
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Plan" r:id="rId1"/><sheet name="Assay" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': cells([['to do'], ['measure']]),
    'xl/worksheets/sheet2.xml': cells([
      ['ID', 'SMILES', 'Operator', 'IC50 (uM)', 'pKi'],
      ['T-1', 'CCO', 'AB', '0.2', '8.1'],
      ['T-2', 'CCN', 'AB', '>10', '5'],
      ['T-3', 'CCC', 'CD', 'n.d.', '6'],
      ['T-4', 'CCCC', 'CD', '', '7'],
    ]),
  }
  const zipped = zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])),
  )
  return new File([new Uint8Array(zipped)], 'assay.xlsx')
}

function open(rejected: object[] = []) {
  const calls = serveCalls({
    'GET /dta/get_protein_names': () => Response.json({ protein_names: ['abl'], residues: [274] }),
    'GET /measurements?target=&page=1&page_size=50': () =>
      Response.json({ measurements: [], targets: [] }),
    'GET /measurements?target=abl&page=1&page_size=50': () =>
      Response.json({ measurements: [], targets: [] }),
    'GET /measurements/comparison?target=abl': () =>
      Response.json({
        target: 'abl',
        compared: [],
        waiting: 0,
        without_own: { rmse: null, tau: null, tau_interval: null },
        with_own: { rmse: null, tau: null, tau_interval: null },
        mean_of_own: { rmse: null, tau: null, tau_interval: null },
        verdict: 'too few',
        summary: '',
        use: null,
        is_used: true,
      }),
    'POST /measurements': () =>
      Response.json({ added: 2, replaced: 0, repeated: 0, rejected, has_header: true }),
  })
  renderRoutes({ '/measurements': <MeasurementsPage /> }, '/measurements')
  return calls
}

const bodies = (calls: { name: string; body?: unknown }[]) =>
  calls.filter(({ name }) => name === 'POST /measurements').map(({ body }) => body)

const box = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Measured values' })

const choose = (label: string, option: string) => {
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: label })
  const value = [...select.options].find(({ text }) => text === option)?.value
  fireEvent.change(select, { target: { value } })
}

const chosen = (label: string) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: label }).selectedOptions[0]?.text

test('SPEC 21.13: sheet and columns of a workbook are selected, and an invalid line keeps type and unit', async () => {
  const calls = open([{ line: 4, text: 'CCC', reason: '“n.d.” is not a number.' }])
  await box()
  fireEvent.change(screen.getByLabelText('Table of measured values'), {
    target: { files: [workbook()] },
  })
  await screen.findByRole('combobox', { name: 'Sheet' })
  choose('Sheet', 'Assay')
  await waitFor(() => expect(chosen('Value')).toBe('None'))
  screen.getByText('Which column contains the values?')
  choose('Value', 'IC50 (uM)')
  await waitFor(() => expect(chosen('Value')).toBe('IC50 (uM)'))
  expect([chosen('SMILES or compound'), chosen('Name')]).toEqual(['SMILES', 'ID'])
  expect([chosen('Type'), chosen('Unit')]).toEqual(['IC50', 'µM'])
  screen.getByText('assay.xlsx: 1 row without a value skipped')
  fireEvent.click(screen.getByRole('button', { name: 'Import 3 values for abl' }))
  await waitFor(async () =>
    expect((await box()).value).toBe('SMILES\tIC50 µM\tName\nCCC\tn.d.\tT-3'),
  )
  expect(bodies(calls)[0]).toEqual({
    target: 'abl',
    text: 'SMILES\tIC50 µM\tName\nCCO\t0.2\tT-1\nCCN\t>10\tT-2\nCCC\tn.d.\tT-3',
    replace: false,
    type: 'IC50',
    unit: 'µM',
  })
  // The corrected text is again a table with type and unit in its heading.
  fireEvent.change(await box(), { target: { value: 'SMILES\tIC50 µM\tName\nCCC\t4\tT-3' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Import 1 value for abl' }))
  await waitFor(() => expect(bodies(calls)).toHaveLength(2))
  expect(bodies(calls)[1]).toMatchObject({
    text: 'SMILES\tIC50 µM\tName\nCCC\t4\tT-3',
    type: 'IC50',
    unit: 'µM',
  })
})

test('selecting another value column changes type and unit', async () => {
  const calls = open()
  fireEvent.change(await box(), {
    target: { value: 'ID,SMILES,IC50 (uM),pKi\nT-1,CCO,0.2,8.1\nT-2,CCN,3,5' },
  })
  await waitFor(() => expect(chosen('Value')).toBe('None'))
  screen.getByText('Which column contains the values?')
  choose('Value', 'IC50 (uM)')
  await waitFor(() => expect(chosen('Value')).toBe('IC50 (uM)'))
  choose('Value', 'pKi')
  expect([chosen('Type'), chosen('Unit')]).toEqual(['Ki', 'pKi'])
  fireEvent.click(screen.getByRole('button', { name: 'Import 2 values for abl' }))
  await waitFor(() => expect(bodies(calls)).toHaveLength(1))
  expect(bodies(calls)[0]).toMatchObject({
    text: 'SMILES\tpKi\tName\nCCO\t8.1\tT-1\nCCN\t5\tT-2',
  })
})

test('a column that may hold rates is asked about, and the import waits for the answer', async () => {
  const calls = open()
  fireEvent.change(await box(), { target: { value: 'ID,SMILES,kd\nT-1,CCO,15\nT-2,CCN,30' } })
  await screen.findByText('“kd” may be a rate constant. Which column contains the values?')
  const send = screen.getByRole('button', { name: /^Import/ })
  expect(send).toHaveProperty('disabled', true)
  fireEvent.click(screen.getByRole('button', { name: 'kd' }))
  await screen.findByText('2 values without a unit: nM, as chosen.')
  fireEvent.click(screen.getByRole('button', { name: 'Import 2 values for abl' }))
  await waitFor(() => expect(bodies(calls)).toHaveLength(1))
  expect(bodies(calls)[0]).toMatchObject({
    text: 'SMILES\tKd nM\tName\nCCO\t15\tT-1\nCCN\t30\tT-2',
  })
})

test('defaults are named; a unit in its own column is sent with each value', async () => {
  const calls = open()
  fireEvent.change(await box(), {
    target: { value: 'ID,SMILES,Value,Unit\nT-1,CCO,15,µM\nT-2,CCN,30,' },
  })
  await screen.findByText('2 values without a type: Kd, as chosen.')
  screen.getByText('1 value without a unit: nM, as chosen.')
  fireEvent.click(screen.getByRole('button', { name: 'Import 2 values for abl' }))
  await waitFor(() => expect(bodies(calls)).toHaveLength(1))
  expect(bodies(calls)[0]).toMatchObject({
    text: 'SMILES\tKd\tName\tUnit\nCCO\t15\tT-1\tµM\nCCN\t30\tT-2\tnM',
  })
})

test('the text of a file without a table goes into the text box', async () => {
  open()
  await box()
  fireEvent.change(screen.getByLabelText('Table of measured values'), {
    target: { files: [new File(['imatinib 12 nM\ndasatinib 3 nM'], 'x.txt')] },
  })
  await waitFor(async () => expect((await box()).value).toBe('imatinib 12 nM\ndasatinib 3 nM'))
  screen.getByRole('button', { name: 'Import for abl' })
})
