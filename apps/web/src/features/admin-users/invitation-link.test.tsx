/** The link for a user without a Google account. */
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openUser, userOf } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const inviting = 'POST /admin/users/u1/invitation'

test('SPEC 25.5: an invitation link is shown once, and a newer one replaces it', async () => {
  let made = 0
  await openUser({
    [inviting]: () =>
      Response.json({ code: `code-${(made += 1)}`, expires_at: '2026-12-01T00:00:00Z' }),
  })
  const user = userEvent.setup()
  const create = await screen.findByRole('button', { name: 'Create link' })
  await user.click(create)
  await screen.findByText(`${location.origin}/#invitation=code-1`)
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe(`${location.origin}/#invitation=code-1`)
  await user.click(create)
  await screen.findByText(`${location.origin}/#invitation=code-2`)
  screen.getByRole('button', { name: 'Copy' })
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText(/#invitation=/)).toBeNull()
})

test('an invitation link that cannot be created says why', async () => {
  await openUser({
    [inviting]: () => refuse(409, 'This user can sign in already, or has a Google ID.'),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Create link' }))
  expect((await screen.findByRole('alert')).textContent).toContain(
    'This user can sign in already, or has a Google ID.',
  )
})

test('a user with a Google account needs no invitation link', async () => {
  await openUser({ 'GET /admin/users/u1': () => Response.json(userOf({ googleId: '117' })) })
  await screen.findByText('No API keys yet.')
  expect(screen.queryByText('Invitation link')).toBeNull()
})
