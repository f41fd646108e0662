/** The routes: redirects, unknown addresses, and focus. */
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { storeKey } from '#web/features/auth/session-key.ts'
import { startSession } from '#web/features/auth/session.ts'
import { serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { createRouter } from './router.tsx'

const handlers = {
  'POST /dta/login': () => Response.json({ email: 'ada@example.org', name: 'Ada' }),
  'GET /dta/get_protein_names': () => Response.json({ protein_names: [] }),
  'GET /dta/get_compound_names': () => Response.json({ compound_names: [] }),
  'GET /dta/credits': () => Response.json({ credits: 97 }),
}

test.each(['/nowhere', '/prompt/more'])('%s shows Not found', async (path) => {
  await open(path, null)
  await screen.findByRole('heading', { name: 'Page not found' })
  expect(document.title).toBe('Page not found · pKdex')
})

test.each(['/', '/prompt', '/results'])(
  'SPEC 2.1, 2.6, 2.11, 6.1: without a key %s redirects to the login screen',
  async (path) => {
    await open(path, null)
    await screen.findByRole('button', { name: 'Loading...' })
    expect(location.pathname).toBe('/')
    expect(document.title).toBe('Sign in · pKdex')
  },
)

test('SPEC 2.3: with a valid key / redirects to the upload page', async () => {
  await open('/', 'pk-1')
  await screen.findByRole('heading', { name: 'Upload targets and compounds' })
  expect(location.pathname).toBe('/prompt')
  expect(document.title).toBe('Upload · pKdex')
})

test('after a change of route the new heading has focus', async () => {
  await open('/prompt', 'pk-1')
  await userEvent.click(await screen.findByRole('link', { name: 'Predict' }))
  await waitFor(() => expect(location.pathname).toBe('/results'))
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
  expect(document.title).toBe('Predict · pKdex')
})

test('a page that cannot be loaded shows an error below the header, and other pages still open', async () => {
  vi.doMock('#web/routes/history/history-page.tsx', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await open('/prompt', 'pk-1')
  await userEvent.click(await screen.findByRole('link', { name: 'History' }))
  await screen.findByText(/^You are offline\./)
  await userEvent.click(screen.getByRole('link', { name: 'Predict' }))
  await waitFor(() => expect(document.title).toBe('Predict · pKdex'))
  vi.doUnmock('#web/routes/history/history-page.tsx')
})

async function open(path: string, key: string | null) {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined)
  serveCalls(handlers)
  if (key !== null) storeKey(key)
  history.replaceState(null, '', path)
  await act(startSession)
  return renderScreen(<RouterProvider router={createRouter()} />)
}
