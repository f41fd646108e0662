/** Who is sent where, and what stands there while nobody knows yet. */
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

test.each([
  ['SPEC 2.6', '/prompt'],
  ['SPEC 2.11', '/results'],
])('%s, SPEC 6.1: an unauthenticated user is sent from %s to /', async (_, path) => {
  serveCalls({})
  await act(startSession)
  const router = open(path)
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(screen.getByText('login')).toBeTruthy()
})

test('SPEC 2.3: an authenticated user is sent from / to /prompt', async () => {
  storeKey('pk-1')
  serveCalls({ 'POST /dta/login': account })
  await act(startSession)
  const router = open('/')
  await waitFor(() => expect(router.state.location.pathname).toBe('/prompt'))
})

test('a link to a pair survives the sign-in, and a sign-out begins anew', async () => {
  serveCalls({})
  await act(startSession)
  const router = open('/results?target=abl&compound=imatinib')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  serveCalls({ 'POST /dta/login': account })
  storeKey('pk-1')
  await act(startSession)
  await waitFor(() => expect(router.state.location.pathname).toBe('/results'))
  expect(router.state.location.search).toBe('?target=abl&compound=imatinib')
  act(leaveSession)
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  storeKey('pk-2')
  await act(startSession)
  await waitFor(() => expect(router.state.location.pathname).toBe('/prompt'))
})

test('who comes with the link of a screen gets there after signing in', async () => {
  serveCalls({ 'POST /dta/login': account })
  await act(startSession)
  const router = open('/screens/s1?view=map')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  storeKey('pk-1')
  await act(startSession)
  await waitFor(() => expect(router.state.location.pathname).toBe('/screens/s1'))
  expect(router.state.location.search).toBe('?view=map')
})

test('after a Logout on the page of a screen the next one is not sent there', async () => {
  storeKey('pk-1')
  serveCalls({ 'POST /dta/login': account })
  await act(startSession)
  const router = open('/screens/s1')
  await screen.findByText('a screen')
  act(leaveSession)
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  storeKey('pk-2')
  await act(startSession)
  await waitFor(() => expect(router.state.location.pathname).toBe('/prompt'))
})

test('SPEC 4.1: while the stored key is validated a spinner is shown, then the page that was asked for', async () => {
  storeKey('pk-1')
  serveCalls({ 'POST /dta/login': account })
  const started = startSession()
  const router = open('/results')
  expect(screen.getByRole('status').textContent).toBe('Checking your session')
  expect(screen.queryByText('results')).toBeNull()
  await act(() => started)
  expect(screen.getByText('results')).toBeTruthy()
  expect(router.state.location.pathname).toBe('/results')
})

test('without an answer of the server the page offers to try again, and keeps the key', async () => {
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
  ['nothing to show', () => refuse(503), 'The server did not answer as expected.'],
  [
    'something unknown',
    () => Response.json({ hello: 1 }),
    'The server did not answer as expected.',
  ],
])('a server that answers with %s is not called out of reach', async (_, answer, text) => {
  storeKey('pk-1')
  serveCalls({ 'POST /dta/login': answer })
  await act(startSession)
  open('/results')
  expect(screen.getByRole('heading').textContent).toBe('Your session could not be checked')
  expect(screen.getByText(new RegExp(`^${text}`))).toBeTruthy()
  expect(localStorage.getItem('API-key')).toBe('pk-1')
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
})

test('a key that dies sends the page to the login', async () => {
  storeKey('pk-1')
  serveCalls({ 'POST /dta/login': () => refuse(401) })
  await act(startSession)
  const router = open('/prompt')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})

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
