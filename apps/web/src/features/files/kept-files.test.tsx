/** A user's files: listed, renamed and deleted. */
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { KeptFiles } from './kept-files.tsx'

const LIST = 'GET /file_manager/files?page=1&page_size=50'

const fileNamed = (filename: string) => ({
  file_id: `id of ${filename}`,
  filename,
  file_type: 'drug_smiles',
  size_bytes: 2048,
  created_at: '2026-11-20T12:00:00.000Z',
  target_count: 0,
  compound_count: 10,
  names: ['aspirin'],
  summary: '10 compounds',
  warning_count: 0,
})

const preview = {
  files: 1,
  targets: 0,
  compounds: 10,
  predictions: 12,
  predictions_under_way: 1,
  measured_values: 3,
  screens: 0,
}

test('deleting a file asks first, with counts of what is deleted and what is kept', async () => {
  let files = [fileNamed('drugs.txt'), fileNamed('more.txt')]
  const calls = open({
    [LIST]: () => Response.json({ files }),
    'GET /file_manager/deletion?file_id=id+of+drugs.txt': () => Response.json(preview),
    'DELETE /file_manager/files/id%20of%20drugs.txt': () => {
      files = files.slice(1)
      return Response.json({
        message: 'Deleted.',
        files: 1,
        targets: 0,
        compounds: 10,
        predictions_ended: 0,
        bytes_used: 2048,
      })
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete drugs.txt' }))
  const told = [
    'This also deletes 10 compounds.',
    '12 predictions stay in the history without the name.',
    '1 prediction under way ends and is refunded.',
    '3 measured values are kept.',
    'Screens keep their results.',
    'This cannot be undone.',
  ]
  await screen.findByText(told.join(' '))
  expect(calls.some(({ name }) => name.startsWith('DELETE'))).toBe(false)
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await screen.findByText('drugs.txt was deleted.')
  expect(await screen.findAllByRole('row')).toHaveLength(2)
})

test('a file can be renamed, and a server error is shown', async () => {
  let isTaken = true
  const calls = open({
    [LIST]: () => Response.json({ files: [fileNamed('drugs.txt')] }),
    'PATCH /file_manager/files/id%20of%20drugs.txt': () =>
      isTaken
        ? refuse(409, 'You have a file of this name.')
        : Response.json({ filename: 'hits.txt' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Rename drugs.txt' }))
  const field = screen.getByLabelText('New name')
  await userEvent.clear(field)
  await userEvent.type(field, 'hits.txt')
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
  await screen.findByText('You have a file of this name.')
  isTaken = false
  await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
  await screen.findByText('drugs.txt is now hits.txt.')
  const sent = calls.filter(({ name }) => name.startsWith('PATCH')).map(({ body }) => body)
  expect(sent).toEqual([{ filename: 'hits.txt' }, { filename: 'hits.txt' }])
})

test('the page says how much storage is used', async () => {
  open({
    [LIST]: () => Response.json({ files: [fileNamed('drugs.txt')] }),
    'GET /file_manager/usage': () =>
      Response.json({ bytes_used: 2 * 1024 ** 2, bytes_max: 1024 ** 3 }),
  })
  await screen.findByText('Files and screens use 2.00 MB of 1.00 GB.')
})

test('a full page of files links to older ones', async () => {
  const page = Array.from({ length: 50 }, (_, index) => fileNamed(`f${index}.txt`))
  open({
    [LIST]: () => Response.json({ files: page }),
    'GET /file_manager/files?page=2&page_size=50': () =>
      Response.json({ files: [fileNamed('oldest.txt')] }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Show older files' }))
  const table = within(screen.getByRole('table', { name: 'Files' }))
  await table.findByText('oldest.txt')
  expect(screen.queryByRole('button', { name: 'Show older files' })).toBeNull()
})

function open(handlers: Parameters<typeof serveCalls>[0]) {
  const calls = serveCalls(handlers)
  renderRoutes({ '/account': <KeptFiles /> }, '/account')
  return calls
}
