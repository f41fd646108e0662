/** Selecting several users. */
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { listOf, openAdmin, userOf, usersRequest } from '#web/test/admin.tsx'

const users = [userOf({ email: 'a@lab.example' }), userOf({ _id: 'u2', email: 'b@lab.example' })]

test('SPEC 26.12: once a page is selected, all users that match can be selected too', async () => {
  const all = Array.from({ length: 12 }, (_, at) =>
    userOf({ _id: `u${at + 1}`, email: `${at}@lab.example` }),
  )
  const narrowed = usersRequest({ search: 'lab' })
  const { calls } = await openAdmin('/admin/users?search=lab', {
    [narrowed]: () => listOf(all.slice(0, 10), 12),
    'GET /admin/users?search=lab&sort=email&order=asc&page_size=10': () => listOf(all),
    'POST /admin/users/status': () => Response.json({ changed: 12 }),
  })
  await userEvent.click(await screen.findByLabelText('Select all users on this page'))
  screen.getByText('10 users selected')
  await userEvent.click(screen.getByRole('button', { name: 'Select all 12 users' }))
  await screen.findByText('12 users selected')
  expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Activate' }))
  await userEvent.click(
    within(screen.getByRole('dialog')).getByRole('button', { name: 'Activate' }),
  )
  await screen.findByText('12 users activated.')
  const sent = calls.find(({ name }) => name === 'POST /admin/users/status')
  expect(sent?.body).toEqual({ user_ids: all.map(({ _id }) => _id), is_active: true })
})

test('if more users match than can be changed together, a page can be selected, and the limit is shown', async () => {
  await openAdmin('/admin/users', { [usersRequest()]: () => listOf(users, 1284) })
  await userEvent.click(await screen.findByLabelText('Select all users on this page'))
  screen.getByText('Up to 1,000 users can be selected; 1,284 match.')
  expect(screen.queryByRole('button', { name: /^Select all/ })).toBeNull()
})
