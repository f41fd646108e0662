/** Administrators on the page: adding, deleting, and changing your own password. */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openAdmin } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const listing = 'GET /admin/administrators'
const you = { email: 'admin@lab.example', created_at: '2026-06-02T10:00:00Z', is_you: true }
const other = { email: 'b@lab.example', created_at: '2026-06-03T10:00:00Z', is_you: false }

test('an administrator is added, and the password is shown until Done', async () => {
  let administrators = [you]
  const { calls } = await open({
    [listing]: () => Response.json({ administrators }),
    'POST /admin/administrators': () => {
      administrators = [you, other]
      return Response.json({ email: other.email, password: 'secret-word' })
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Add administrator' }))
  expect(screen.getByText('Enter a valid email address.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Email'), 'b@lab.example')
  await userEvent.click(screen.getByRole('button', { name: 'Add administrator' }))
  expect(await screen.findByText('secret-word')).toBeTruthy()
  expect(screen.getByText('Password for b@lab.example (shown only once)')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Delete b@lab.example' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText('secret-word')).toBeNull()
  const made = calls.filter(({ name }) => name === 'POST /admin/administrators')
  expect(made.map(({ body }) => body)).toEqual([{ email: 'b@lab.example' }])
})

test('another administrator is deleted after confirmation; your own row has no button', async () => {
  let administrators = [you, other]
  await open({
    [listing]: () => Response.json({ administrators }),
    'DELETE /admin/administrators/b%40lab.example': () => {
      administrators = [you]
      return Response.json({ message: 'ok' })
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete b@lab.example' }))
  const dialog = within(screen.getByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('b@lab.example was deleted.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull())
})

test('a new password is entered twice, and a wrong current one is reported', async () => {
  let isWrong = true
  const { calls } = await open({
    [listing]: () => Response.json({ administrators: [you] }),
    'PUT /admin/auth/password': () =>
      isWrong
        ? refuse(400, 'The current password is wrong.')
        : Response.json({ message: 'Your password was changed.' }),
  })
  const change = await screen.findByRole('button', { name: 'Change password' })
  await userEvent.type(screen.getByLabelText('New password'), 'short')
  await userEvent.click(change)
  for (const complaint of [
    'Enter your current password.',
    'Use at least 12 characters.',
    'The passwords do not match.',
  ]) {
    expect(screen.getByText(complaint)).toBeTruthy()
  }
  await userEvent.type(screen.getByLabelText('Current password'), 'the old one')
  await userEvent.type(screen.getByLabelText('New password'), ' and a long one')
  await userEvent.type(screen.getByLabelText('Repeat new password'), 'short and a long one')
  await userEvent.click(change)
  expect(await screen.findByText('API error The current password is wrong.')).toBeTruthy()
  isWrong = false
  await userEvent.click(change)
  expect(await screen.findByText(/^Your password was changed/)).toBeTruthy()
  expect(screen.getByLabelText('New password')).toHaveProperty('value', '')
  const sent = calls.filter(({ name }) => name === 'PUT /admin/auth/password')
  expect(sent.at(-1)?.body).toEqual({
    current_password: 'the old one',
    new_password: 'short and a long one',
  })
})

function open(handlers: Parameters<typeof openAdmin>[1]) {
  return openAdmin('/admin/administrators', handlers)
}
