/** Redirects of visitors and users, and what is shown until the session is known. */
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { storeKey } from '#web/features/auth/session-key.ts'
import { leaveSession, startSession } from '#web/features/auth/session.ts'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { AnonymousOnly, SignedInOnly } from './guards.tsx'

const account = () => Response.json({ email: 'ada@example.org', name: 'Ada' })

test.each(['/results?target=abl&compound=imatinib', '/screens/s1?view=map'])(
  'a link to %s survives sign-in, but not sign-out',
  async (link) => {
    serveCalls({ 'POST /dta/login': account })
    await act(startSession)
    const router = open(link)
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    storeKey('pk-1')
    await act(startSession)
    await waitFor(() => expect(pathOf(router)).toBe(link))
    act(leaveSession)
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    storeKey('pk-2')
    await act(startSession)
    await waitFor(() => expect(router.state.location.pathname).toBe('/prompt'))
  },
)

test('SPEC 4.1: while the stored key is validated a spinner is shown, then the requested page', async () => {
  storeKey('pk-1')
  serveCalls({ 'POST /dta/login': account })
  const started = startSession()
  const router = open('/results')
  expect(screen.getByRole('status').textContent).toBe('Checking your session')
  expect(screen.queryByText('results')).toBeNull()
  await act(() => started)
  screen.getByText('results')
  expect(router.state.location.pathname).toBe('/results')
})

test('if the server does not respond the page offers to try again and keeps the key', async () => {
  storeKey('pk-1')
  serveCalls({})
  await act(startSession)
  open('/results')
  expect(screen.getByRole('heading').textContent).toBe('The server cannot be reached')
  expect(localStorage.getItem('API-key')).toBe('pk-1')

  serveCalls({ 'POST /dta/login': account })
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('results')
})

test.each([
  ['its own sentence', () => refuse(429, 'Too many tries. Wait a minute.'), 'Too many tries. Wait'],
  ['nothing to show', () => refuse(503), 'Unexpected response from the server.'],
  ['something unknown', () => Response.json({ hello: 1 }), 'Unexpected response from the server.'],
])('a server that returns %s is not reported as unreachable', async (_, answer, text) => {
  storeKey('pk-1')
  serveCalls({ 'POST /dta/login': answer })
  await act(startSession)
  open('/results')
  expect(screen.getByRole('heading').textContent).toBe('Your session could not be verified')
  screen.getByText(new RegExp(`^${text}`))
  expect(localStorage.getItem('API-key')).toBe('pk-1')
  screen.getByRole('button', { name: 'Retry' })
})

test('an expired key redirects to the login', async () => {
  storeKey('pk-1')
  serveCalls({ 'POST /dta/login': () => refuse(401) })
  await act(startSession)
  const router = open('/prompt')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})

function pathOf({ state: { location } }: ReturnType<typeof open>): string {
  return location.pathname + location.search
}

function open(path: string) {
  const router = createMemoryRouter(
    [
      { element: <AnonymousOnly />, children: [{ path: '/', element: <p>login</p> }] },
      {
        element: <SignedInOnly />,
        children: [
          { path: '/prompt', element: <p>prompt</p> },
          { path: '/results', element: <p>results</p> },
          { path: '/screens/:id', element: <p>a screen</p> },
        ],
      },
    ],
    { initialEntries: [path] },
  )
  renderScreen(<RouterProvider router={router} />)
  return router
}
