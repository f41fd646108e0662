/** The user list as an administrator uses it: search, sort, turn pages, delete. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { listOf, namesOf, openAdmin, userOf, usersRequest } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const users = [
  userOf({ _id: 'u1', email: 'a@lab.example', name: 'Ada', credits: 10_000 }),
  userOf({ _id: 'u2', email: 'b@lab.example', name: '', is_active: false }),
]

const usage = 'GET /admin/users/usage?user_ids=u1%2Cu2'
const used = [
  { _id: 'u1', last_seen_at: '2026-11-20T12:00:00Z', predictions: 1204, credits_used: 1000 },
  { _id: 'u2', last_seen_at: null, predictions: 0, credits_used: 0 },
]

test('SPEC 2.16, 3.7, 3.11, 9.5: the first ten users, sorted by email, and a user without a name', async () => {
  const { calls } = await openAdmin('/admin/users', {
    [usersRequest()]: () => listOf(users, 1284),
    [usage]: () => Response.json({ users: used }),
  })
  await screen.findByText('1,204')
  expect(namesOf(calls)).toContain(usersRequest())
  expect(screen.getByRole('columnheader', { name: 'Email' }).getAttribute('aria-sort')).toBe(
    'ascending',
  )
  expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBeNull()
  expect(cellsOf('a@lab.example')).toEqual([
    'Ada',
    'a@lab.example',
    '10,000',
    'Active',
    '2026-11-20',
    '1,204',
    'EditDelete',
  ])
  expect(cellsOf('b@lab.example')).toEqual([
    '(No name)',
    'b@lab.example',
    '97',
    'Inactive',
    'Never',
    '0',
    'EditDelete',
  ])
  screen.getByText('1,284 users')
  screen.getByText('1–10 of 1,284')
})

test('users are filtered by status, with a selectable page size', async () => {
  const inactive = `${usersRequest()}&status=inactive`
  const large = inactive.replace('page_size=10', 'page_size=50')
  const { calls, router } = await openAdmin('/admin/users', {
    [usersRequest()]: () => listOf(users, 1284),
    [inactive]: () => listOf([users[1]], 1),
    [large]: () => listOf([users[1]], 1),
  })
  await screen.findByText('a@lab.example')
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'Inactive')
  await screen.findByText('1 user found')
  await userEvent.selectOptions(screen.getByLabelText('Users per page'), '50 per page')
  await waitFor(() => expect(namesOf(calls)).toContain(large))
  expect(router.state.location.search).toBe('?page_size=50&status=inactive')
})

test('the list keeps its state when you return to it', async () => {
  const asked = usersRequest({ sort: 'credits' })
  const { router } = await openAdmin('/admin/users?sort=credits', {
    [asked]: () => listOf(users, 2),
    'GET /admin/users/u1': () => Response.json(users[0]),
  })
  await userEvent.click(await screen.findByRole('link', { name: 'Edit a@lab.example' }))
  await screen.findByRole('heading', { name: 'Ada' })
  const main = within(screen.getByRole('main'))
  await userEvent.click(main.getByRole('link', { name: 'Users' }))
  expect(router.state.location.search).toBe('?sort=credits')
})

test('the search field limits its length as the contract does', async () => {
  await openAdmin('/admin/users', { [usersRequest()]: () => listOf(users) })
  const search = await screen.findByRole('searchbox', { name: 'Search by email or name' })
  expect(search.getAttribute('maxlength')).toBe('320')
})

test('SPEC 5.9, 5.12: a search waits for a pause, sends one request and returns to page 1', async () => {
  const { calls, router } = await openAdmin('/admin/users?page=3', {
    [usersRequest({ page: 3 })]: () => listOf(users, 1284),
    [usersRequest({ search: 'Ada' })]: () => listOf([users[0]], 1),
  })
  await screen.findByText('b@lab.example')
  // Pasted: typed one at a time, two letters might be further apart than the pause.
  const search = screen.getByRole('searchbox')
  for (const value of ['A', 'Ad', 'Ada']) fireEvent.change(search, { target: { value } })
  // Meanwhile the previous page is shown.
  screen.getByText('b@lab.example')
  await waitFor(() => expect(screen.queryByText('b@lab.example')).toBeNull())
  expect(router.state.location.search).toBe('?search=Ada')
  screen.getByText('1 user found')
  expect(namesOf(calls).filter((name) => name.includes('search=A'))).toHaveLength(1)
})

test('Enter searches immediately', async () => {
  const { router } = await openAdmin('/admin/users', {
    [usersRequest()]: () => listOf(users),
    [usersRequest({ search: 'x' })]: () => listOf([]),
  })
  await screen.findByText('b@lab.example')
  await userEvent.type(screen.getByRole('searchbox'), 'x{Enter}')
  expect(router.state.location.search).toBe('?search=x')
  await screen.findByText('No matches for “x”')
  await userEvent.click(screen.getByRole('link', { name: 'Clear search' }))
  await waitFor(() => expect(screen.getByRole('searchbox')).toHaveProperty('value', ''))
})

test('a page beyond the last shows the last one', async () => {
  const { router } = await openAdmin('/admin/users?page=99', {
    [usersRequest({ page: 99 })]: () => listOf([], 12),
    [usersRequest({ page: 2 })]: () => listOf(users, 12),
  })
  await screen.findByText('a@lab.example')
  expect(router.state.location.search).toBe('?page=2')
})

test('a user who cannot be deleted stays, and the dialog says why', async () => {
  await openAdmin('/admin/users', {
    [usersRequest()]: () => listOf(users),
    'DELETE /admin/users/u1': () => refuse(500, 'It broke.'),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete a@lab.example' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to delete userAPI error It broke.',
  )
  screen.getByRole('dialog')
})

test('a list that fails to load offers to try again', async () => {
  let isBroken = true
  await openAdmin('/admin/users', {
    [usersRequest()]: () => (isBroken ? refuse(500, 'It broke.') : listOf(users)),
  })
  expect((await screen.findByRole('alert')).textContent).toContain('API error It broke.')
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('a@lab.example')
})

function cellsOf(email: string) {
  const row = screen.getByText(email).closest('tr')
  // Without the checkbox that selects the row.
  return [...(row?.children ?? [])].slice(1).map((cell) => cell.textContent)
}
