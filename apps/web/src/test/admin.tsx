/** An administrator for component tests: signed in, with the requests that every admin page makes. */
import { act, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { adminRoutes } from '#web/app/admin-routes.tsx'
// Otherwise the first test of a file would wait for the import.
import '#web/app/admin-area.tsx'
import { storeAdminCredentials } from '#web/features/admin-auth/admin-credentials.ts'
import { startAdminSession } from '#web/features/admin-auth/admin-session.ts'
import { type Call, serveCalls } from './calls.ts'
import { renderScreen } from './screen.tsx'

export const credentials = { token: 'token-1', apiKey: 'key-1', email: 'admin@lab.example' }

export const restoring = 'GET /admin/users?page=1&page_size=1'

/** Default responses next to the subject of most tests, for all users and for the user of `userOf`. */
const noUsage = {
  'GET /admin/usage?days=30': () => Response.json({ days: [] }),
  'GET /admin/usage?days=30&user_id=u1': () => Response.json({ days: [] }),
  'GET /admin/users/usage?user_ids=u1': () => Response.json({ users: [] }),
}

/** Opens one admin page, signed in, and returns the requests made after the session was restored. */
export async function openAdmin(path: string, handlers: Parameters<typeof serveCalls>[0]) {
  storeAdminCredentials(credentials)
  serveCalls({ [restoring]: () => listOf([]) })
  await act(startAdminSession)
  const calls = serveCalls({ [restoring]: () => listOf([]), ...noUsage, ...handlers })
  const router = openRoutes(path)
  await screen.findByRole('navigation', { name: 'Admin pages' })
  return { calls, router }
}

/** The page of the user of `userOf`, who has no keys, files or ledger unless the test adds them. */
export function openUser(handlers: Parameters<typeof serveCalls>[0], search = '') {
  return openAdmin(`/admin/users/u1${search}`, {
    'GET /admin/users/u1': () => Response.json(userOf()),
    'GET /admin/users/u1/api-keys': () => Response.json({ keys: [] }),
    'GET /admin/users/u1/shares': () => Response.json({ shares: [] }),
    'GET /admin/users/u1/files?page=1&page_size=10': () => Response.json({ files: [] }),
    'GET /admin/users/u1/ledger?page=1&page_size=10': () => listOf({ entries: [] }, 0),
    ...handlers,
  })
}

/** The request for a page of the user list. */
export function usersRequest({
  page = 1,
  search = '',
  sort = 'email',
  order = 'asc',
} = {}): string {
  return `GET /admin/users?page=${page}&search=${search}&sort=${sort}&order=${order}&page_size=10`
}

export function openRoutes(path: string) {
  const router = createMemoryRouter(
    [...adminRoutes, { path: '*', element: <p>elsewhere</p> }].map((route) => ({
      ...route,
      HydrateFallback: () => null,
    })),
    { initialEntries: [path] },
  )
  renderScreen(<RouterProvider router={router} />)
  return router
}

/** A response with its total, as of paged lists. */
export function listOf(answer: unknown, total = Array.isArray(answer) ? answer.length : 0) {
  return Response.json(answer, { headers: { 'X-Total-Count': String(total) } })
}

export function userOf(change: Record<string, unknown> = {}) {
  return {
    _id: 'u1',
    email: 'c.okafor@lab.example',
    name: 'Chidi Okafor',
    googleId: null,
    credits: 97,
    is_active: true,
    created_at: '2026-06-02T10:00:00Z',
    ...change,
  }
}

export function namesOf(calls: Call[]): string[] {
  return calls.map(({ name }) => name)
}

/** The text of each row below the heading. */
export function rowsOf(table: HTMLElement) {
  const rows = within(table).getAllByRole('row').slice(1)
  return rows.map(({ textContent }) => textContent)
}
