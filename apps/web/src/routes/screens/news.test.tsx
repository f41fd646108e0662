/** What is new to the user: the count in the header, the list on `/screens`, and looking at a screen. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { PageFrame } from '#web/app/header.tsx'
import { type Call, serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { firstPage, library, pageOf, row, started } from '#web/test/screens.tsx'
import { ScreenArea } from './screen-area.tsx'
import { ScreenPage } from './screen-page.tsx'
import { ScreensPage } from './screens-page.tsx'

const s1 = { screen_id: 's1', screen: 'First round', comments: 2, has_finished: true }
const s2 = { screen_id: 's2', screen: null, comments: 1, has_finished: false }
const nowhere = { row: null, column: null, compound: null, target: null, chain: null }
const written = {
  author: 'Vera',
  text: 'Look',
  created_at: '2026-11-28T10:00:00Z',
  edited_at: null,
}
const comment = { id: '9', is_own: false, ...written, ...nowhere }
type Handlers = Record<string, (call: Call) => Response>

function balance(news: object[]) {
  return () => Response.json({ credits: 40, ...(news.length > 0 && { news }) })
}

function open(path: string, news: object[], handlers: Handlers = {}) {
  const calls = serveCalls({
    ...library,
    'GET /dta/credits': balance(news),
    'GET /screens?page=1&page_size=20&kind=screen': () => Response.json({ screens: [] }),
    'GET /shared': () => Response.json({ screens: [] }),
    'GET /screens/s1': () => Response.json({ ...started, comments: 2, commented_at: 'x' }),
    [firstPage]: pageOf([row(2, 8.1)]),
    ...handlers,
  })
  const area = {
    Component: ScreenArea,
    children: [{ path: '/screens/:id', Component: ScreenPage }],
  }
  const pages = [{ path: '/screens', Component: ScreensPage }, area]
  const router = createMemoryRouter([{ Component: PageFrame, children: pages }], {
    initialEntries: [path],
  })
  renderScreen(<RouterProvider router={router} />)
  return calls
}

const count = () => screen.queryByTitle('New comments and finished screens')

test('the header counts comments by others and finished screens, with the request for the balance', async () => {
  const calls = open('/screens', [s1, s2])
  await waitFor(() => expect(count()?.textContent).toBe('44 new comments and finished screens'))
  expect(count()?.getAttribute('href')).toBe('/screens')
  expect(calls.filter(({ name }) => name.includes('credits'))).toHaveLength(1)
})

test('SPEC 36.4: what finishes while another page is open is counted without a reload', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let news: object[] = []
  open('/screens', [], { 'GET /dta/credits': () => balance(news)() })
  await screen.findByText('40')
  expect(count()).toBeNull()
  news = [{ ...s1, comments: 0 }]
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  await waitFor(() => expect(count()?.textContent).toMatch(/^1/))
  vi.useRealTimers()
})

test('without news there is no count and no list', async () => {
  open('/screens', [])
  await screen.findByText('40')
  expect([count(), screen.queryByRole('table', { name: 'New' })]).toEqual([null, null])
})

test('many news are counted as 99+', async () => {
  open('/screens', [{ ...s1, comments: 100 }])
  await waitFor(() => expect(count()?.textContent).toMatch(/^99\+99\+/))
})

test('the list says what is new of which screen, and Clear empties it', async () => {
  const calls = open('/screens', [s1, s2], { 'DELETE /news': () => Response.json({ news: [] }) })
  const [, first, second] = within(await screen.findByRole('table', { name: 'New' })).getAllByRole(
    'row',
  )
  expect(first?.textContent).toContain('First round')
  expect(first?.textContent).toContain('Finished, 2 new comments')
  expect(second?.textContent).toContain('1 new comment')
  expect(
    within(second ?? document.body)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe('/screens/s2')
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  await waitFor(() => expect(count()).toBeNull())
  expect(calls.filter(({ name }) => name === 'DELETE /news')).toHaveLength(1)
})

test('whoever opens a finished screen has seen that it finished, but not its comments until they are opened', async () => {
  const seen = 'PUT /screens/s1/seen'
  const calls = open('/screens/s1', [s1], {
    [seen]: ({ body }) =>
      Response.json({
        news: Object(body).comment === null ? [{ ...s1, has_finished: false }] : [],
      }),
    'GET /screens/s1/comments?page=1&page_size=50': () => Response.json({ comments: [comment] }),
  })
  const bodies = () => calls.filter(({ name }) => name === seen).map(({ body }) => body)
  await waitFor(() => expect(bodies()).toEqual([{ comment: null }]))
  expect(count()?.textContent).toMatch(/^2/)
  await userEvent.click(await screen.findByRole('button', { name: 'Comments (2, 2 new)' }))
  await waitFor(() => expect(count()).toBeNull())
  expect(bodies()).toEqual([{ comment: null }, { comment: '9' }])
})
