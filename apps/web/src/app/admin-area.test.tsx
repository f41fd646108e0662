/** The admin area: access, the links of the side bar, and the dashboard. */
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { storeAdminCredentials } from '#web/features/admin-auth/admin-credentials.ts'
import { startAdminSession } from '#web/features/admin-auth/admin-session.ts'
import { credentials, listOf, openAdmin, openRoutes, restoring } from '#web/test/admin.tsx'
import { refuse, serveCalls } from '#web/test/calls.ts'

const stats = {
  user_count: 1284,
  active_api_key_count: 1107,
  total_credits: 96_412,
  collection_stats: { users: 1284 },
  avgObjSize: 380,
  size: 487_920,
  collections: { users: { count: 1284, avgObjSize: 380, size: 487_920 } },
}
const handlers = {
  'GET /admin/database/stats': () => Response.json(stats),
  'GET /admin/users?page=1&search=&sort=email&order=asc&page_size=10': () => listOf([]),
  'GET /admin/database/collections': () => Response.json({ collections: stats.collections }),
  'GET /admin/audit?page=1&search=&page_size=20': () => Response.json({ entries: [] }),
}

test.each([
  '/admin/nowhere',
  '/admin/users/u1/more',
  '/admin/database',
  '/admin',
  '/admin/users',
  '/admin/users/create',
  '/admin/users/u1',
  '/admin/users/import',
  '/admin/administrators',
  '/admin/database/stats',
  '/admin/database/export',
  '/admin/audit',
])('SPEC 2.21, 2.22: without a session %s redirects to the login', async (path) => {
  serveCalls({})
  await act(startAdminSession)
  const router = openRoutes(path)
  await screen.findByRole('heading', { name: 'Administration' })
  expect(router.state.location.pathname).toBe('/admin/login')
})

test('SPEC 4.18: an expired session redirects to the login, which says so', async () => {
  storeAdminCredentials(credentials)
  serveCalls({ [restoring]: () => refuse(401) })
  await act(startAdminSession)
  openRoutes('/admin/users')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Admin session expired. Please login again.',
  )
})

test('if the server does not respond the admin area offers to try again', async () => {
  storeAdminCredentials(credentials)
  serveCalls({})
  await act(startAdminSession)
  openRoutes('/admin')
  await screen.findByRole('heading', { name: 'The server cannot be reached' })
  serveCalls({ ...handlers, [restoring]: () => listOf([]) })
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('heading', { name: 'Dashboard' })
})

test('a server error is not reported as an unreachable server', async () => {
  storeAdminCredentials(credentials)
  serveCalls({ [restoring]: () => refuse(500, 'The disk is full.') })
  await act(startAdminSession)
  openRoutes('/admin')
  await screen.findByRole('heading', { name: 'Your session could not be verified' })
  screen.getByText(/^API error The disk is full\. You are still signed in\./)
})

test('SPEC 2.23: the side bar links to every page', async () => {
  const { router } = await openAdmin('/admin', handlers)
  const nav = within(screen.getByRole('navigation', { name: 'Admin pages' }))
  for (const [name, path] of [
    ['Users', '/admin/users'],
    ['Database Stats', '/admin/database/stats'],
    ['Export Data', '/admin/database/export'],
    ['Audit Log', '/admin/audit'],
    ['Administrators', '/admin/administrators'],
    ['Dashboard', '/admin'],
  ] as const) {
    await userEvent.click(nav.getByRole('link', { name }))
    await waitFor(() => expect(router.state.location.pathname).toBe(path))
    await waitFor(() =>
      expect(nav.getByRole('link', { name }).getAttribute('aria-current')).toBe('page'),
    )
  }
})

test('SPEC 2.23: the side bar can be collapsed and stays so', async () => {
  await openAdmin('/admin', handlers)
  const toggle = screen.getByRole('button', { name: 'Collapse' })
  await userEvent.click(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  expect(screen.getByRole('button', { name: 'Expand' })).toBe(toggle)
  screen.getByRole('link', { name: 'Users' })
  expect(localStorage.getItem('pkdex-admin-side-bar-collapsed')).toBe('true')
})

test('SPEC 2.15: the dashboard shows four cards', async () => {
  await openAdmin('/admin', handlers)
  await screen.findByText('96,412')
  const cards = screen
    .getAllByRole('term')
    .map((term) => [term.textContent, term.nextElementSibling?.textContent])
  expect(cards).toEqual([
    ['Total Users', '1,284'],
    ['Active API Keys', '1,107'],
    ['Total Credits', '96,412'],
    ['Database Collections', '1'],
    ['API Status', 'Online'],
    ['Database Connection', 'Connected'],
  ])
})

test('SPEC 8.17: a failed dashboard says why, and Run Debug Test shows the response to each header combination', async () => {
  const failing = { 'GET /admin/database/stats': () => refuse(500, 'The disk is full.') }
  const { calls } = await openAdmin('/admin', failing)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Failed to load dashboard data: API error The disk is full.',
  )
  expect(screen.getByText('Total Users').nextElementSibling?.textContent).toBe('–unknown')
  calls.length = 0
  await userEvent.click(screen.getByRole('button', { name: 'Run Debug Test' }))
  const table = await screen.findByRole('table')
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows.map((row) => row.firstChild?.textContent)).toEqual([
    'Authorization: Bearer + X-Admin-Email',
    'Authorization: Bearer',
    'X-API-Key + X-Admin-Email',
    'X-API-Key',
    'Authorization: Bearer + X-API-Key + X-Admin-Email',
    'X-Admin-Email',
    'none',
  ])
  expect(rows[0]?.textContent).toContain('500 The disk is full.')
  expect(calls).toHaveLength(14)
  expect(calls[4]?.headers.get('Authorization')).toBeNull()
  expect(calls[4]?.headers.get('X-API-Key')).toBe('key-1')
  expect([...(calls[12]?.headers.keys() ?? [])]).toEqual([])
})

test('SPEC 4.19: a session without a key says so on every page', async () => {
  serveCalls({})
  await act(startAdminSession)
  openRoutes('/admin/login')
  serveCalls({
    ...handlers,
    'POST /admin/auth/token': () =>
      Response.json({ access_token: 't', token_type: 'bearer', expires_in: 60 }),
    'GET /admin/auth/api-key': () => refuse(500, 'No key today.'),
  })
  await userEvent.type(await screen.findByLabelText('Email'), 'admin@lab.example')
  await userEvent.type(screen.getByLabelText('Password'), 'a long password{Enter}')
  await screen.findByText('Signed in without an API key')
  screen.getByText(/API error No key today/)
})
