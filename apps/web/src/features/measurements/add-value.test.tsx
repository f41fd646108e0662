/** A measured value is added in a dialog on its pair, and cannot reach another target. */
import { listKnown } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { call } from '#web/lib/api.ts'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { AddValue } from './add-value.tsx'

const stored = { added: 1, replaced: 0, repeated: 0, rejected: [], has_header: false }

function open(...answers: object[]) {
  const calls = serveCalls({ 'POST /measurements': () => Response.json(answers.shift() ?? stored) })
  renderRoutes({ '/': <AddValue pair={{ target: 'JAK1', compound: 'JK-0002' }} /> }, '/')
  return () => calls.filter(({ name }) => name === 'POST /measurements').map(({ body }) => body)
}

test('SPEC 21.16: a value is stored for the pair it was added from, with its type and unit', async () => {
  const sent = open()
  await userEvent.click(screen.getByRole('button', { name: 'Add measured value' }))
  expect(screen.getByRole('dialog').textContent).toContain('JK-0002 on JAK1')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'IC50')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Unit' }), 'µM')
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), '>10{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const value = { compound: 'JK-0002', value: '>10', type: 'IC50', unit: 'µM' }
  expect(sent()).toEqual([{ target: 'JAK1', values: [value] }])
})

test('after a value is stored, lists of pairs are read again, because it may move their numbers', async () => {
  const known = { known: [], to_predict: 0, credits_needed: 0 }
  const calls = serveCalls({
    'POST /measurements': () => Response.json(stored),
    'GET /dta/known?protein_id=JAK1': () => Response.json(known),
  })
  renderRoutes({ '/': <ListAndButton /> }, '/')
  const reads = () => calls.filter(({ name }) => name.startsWith('GET /dta/known')).length
  await waitFor(() => expect(reads()).toBe(1))
  await userEvent.click(screen.getByRole('button', { name: 'Add measured value' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), '10{Enter}')
  await waitFor(() => expect(reads()).toBe(2))
})

/** As on the Predict page: the list of known pairs beside the button. */
function ListAndButton() {
  useQuery({
    queryKey: ['known', 'JAK1', 'A'],
    queryFn: () => call(listKnown, { query: { protein_id: 'JAK1' } }),
  })
  return <AddValue pair={{ target: 'JAK1', compound: 'JK-0002' }} />
}

test('without a value nothing is sent; a refused or stored value keeps the dialog open with the reason', async () => {
  const line = { line: 1, text: 'weak', reason: '“weak” is not a number.' }
  const refused = { ...stored, added: 0, rejected: [line] }
  const sent = open(refused, { ...stored, added: 0, repeated: 1 })
  await userEvent.click(screen.getByRole('button', { name: 'Add measured value' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  screen.getByText('Enter a value.')
  expect(sent()).toEqual([])
  await userEvent.type(screen.getByRole('textbox', { name: 'Value' }), 'weak{Enter}')
  await screen.findByText('“weak” is not a number.')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('This value is stored already.')
  screen.getByRole('dialog')
})
