/** Importing users on the page: never twice by mistake. */
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openAdmin } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const rows = [
  { line: 2, email: 'a@lab.example', outcome: 'create', delta: 5, credits: 5, reason: null },
  { line: 3, email: 'b@lab.example', outcome: 'credit', delta: -3, credits: 7, reason: null },
]

test('a list imported before adds no credits again, unless requested', async () => {
  let isBroken = true
  const keys: (string | null)[] = []
  await openAdmin('/admin/users/import', {
    'POST /admin/users/import': ({ headers }) => {
      const key = headers.get('Idempotency-Key')
      keys.push(key)
      if (key !== null && isBroken) return refuse(500, 'It broke.')
      return Response.json({ rows, applied_at: '2026-11-20T12:00:00Z', repeated: key === null })
    },
  })
  await userEvent.type(await screen.findByLabelText('Users as CSV'), 'email')
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
  await screen.findByText(/^This list was imported on 2026-11-20/)
  await userEvent.click(screen.getByRole('button', { name: 'Import again' }))
  await screen.findByText('No users were imported')
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Import again' }))
  await screen.findByText('Import complete')
  expect(keys).toEqual([null, keys[1], keys[1]])
  expect(keys[1]).toMatch(/^[\d-]+$/)
})
