/** Administrators on the page: the forms that add one and change your own password. */
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openAdmin } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const you = { email: 'admin@lab.example', created_at: '2026-06-02T10:00:00Z', is_you: true }

test('an administrator needs an email; a new password is entered twice, and a wrong current one is reported', async () => {
  let isWrong = true
  const { calls } = await openAdmin('/admin/administrators', {
    'GET /admin/administrators': () => Response.json({ administrators: [you] }),
    'PUT /admin/auth/password': () =>
      isWrong
        ? refuse(400, 'The current password is wrong.')
        : Response.json({ message: 'Your password was changed.' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Add administrator' }))
  screen.getByText('Enter a valid email address.')
  await untilFocused('Email')
  const change = screen.getByRole('button', { name: 'Change password' })
  await userEvent.type(screen.getByLabelText('New password'), 'short')
  await userEvent.click(change)
  for (const complaint of [
    'Enter your current password.',
    'Use at least 12 characters.',
    'The passwords do not match.',
  ]) {
    screen.getByText(complaint)
  }
  await untilFocused('Current password')
  await userEvent.type(screen.getByLabelText('Current password'), 'the old one')
  await userEvent.type(screen.getByLabelText('New password'), ' and a long one')
  await userEvent.type(screen.getByLabelText('Repeat new password'), 'short and a long one')
  await userEvent.click(change)
  await screen.findByText('API error The current password is wrong.')
  isWrong = false
  await userEvent.click(change)
  await screen.findByText(/^Your password was changed/)
  expect(screen.getByLabelText('New password')).toHaveProperty('value', '')
  const sent = calls.filter(({ name }) => name === 'PUT /admin/auth/password')
  expect(sent.at(-1)?.body).toEqual({
    current_password: 'the old one',
    new_password: 'short and a long one',
  })
})

/** The first invalid field takes the focus with the next frame, and with it what is typed meanwhile. */
function untilFocused(label: string): Promise<void> {
  return waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)))
}
