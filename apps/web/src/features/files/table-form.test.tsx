/** A table chosen as a file is handed on with the compounds made from it. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { storeKey } from '#web/features/auth/session-key.ts'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { TableForm } from './table-form.tsx'
import type { OnImport } from './upload-files.ts'

function open() {
  const onImport = vi.fn<OnImport>()
  renderRoutes({ '/': <TableForm onImport={onImport} /> }, '/')
  return onImport
}

const upload = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Upload 1 compound' }))

test('SPEC 23.9: the chosen table goes with the compounds that were read from it', async () => {
  const onImport = open()
  const table = new File(['ID,SMILES\nJK-1,CCO'], 'jak.csv')
  await userEvent.upload(screen.getByLabelText('Compound table'), table)
  await upload()
  const [made, original] = onImport.mock.calls[0] ?? []
  expect([made?.name, original]).toEqual(['jak.txt', table])
})

test('values in the table are handed on if the user wants them', async () => {
  serveCalls({
    'GET /dta/get_protein_names': () => Response.json({ protein_names: ['MET'], residues: [300] }),
  })
  storeKey('pk-1')
  const onImport = open()
  const table = new File(['ID,SMILES,IC50 (nM)\nJK-1,CCO,5'], 'jak.csv')
  await userEvent.upload(screen.getByLabelText('Compound table'), table)
  const wanted = await screen.findByRole('checkbox', {
    name: 'Then import “IC50 (nM)” as measured values',
  })
  await upload()
  expect(onImport.mock.calls[0]?.[2]).toBeUndefined()
  await userEvent.click(wanted)
  await upload()
  expect(onImport.mock.calls[1]?.[2]).toBe(table)
})

test('pasted compounds have no original, also after a table was chosen', async () => {
  const onImport = open()
  const table = new File(['ID,SMILES\nJK-1,CCO'], 'jak.csv')
  await userEvent.upload(screen.getByLabelText('Compound table'), table)
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'SMILES or a table' })
  await waitFor(() => expect(box.value).toContain('JK-1'))
  await userEvent.clear(box)
  await userEvent.type(box, 'CCN amine')
  await upload()
  expect(onImport.mock.calls[0]?.[1]).toBeUndefined()
})

test('records pasted from an SD file are read as the file would be', async () => {
  const onImport = open()
  const record = [
    'JK-1',
    '',
    '',
    '  2  1  0  0  0  0  0  0  0  0999 V2000',
    '    0.0000    0.0000    0.0000 C   0  0',
    '    1.0000    0.0000    0.0000 O   0  0',
    '  1  2  1  0',
    'M  END',
    '$$$$',
  ].join('\n')
  const box = screen.getByRole('textbox', { name: 'SMILES or a table' })
  await userEvent.click(box)
  await userEvent.paste(record)
  await upload()
  expect(await onImport.mock.calls[0]?.[0].text()).toBe('SMILES\tName\n#line 1\nCO\tJK-1')
})
