import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { started } from '#web/test/screens.tsx'
import { SeriesListPage } from './series-list-page.tsx'

const LIST = 'GET /screens?page=1&page_size=20&kind=series'

function open(screens: object[]) {
  serveCalls({
    [LIST]: () => Response.json({ screens }, { headers: { 'X-Total-Count': `${screens.length}` } }),
  })
  renderRoutes({ '/series': <SeriesListPage /> }, '/series')
}

test('lists each series by name, with a link to each of its first targets', async () => {
  const targets = ['src', 'abl', 'met'].map((name) => ({ name, chain: 'A' }))
  open([{ ...started, name: 'eln × 4 targets', note: 'March', targets, target_count: 4 }])
  const link = await screen.findByRole('link', { name: 'eln × 4 targets' })
  expect(link.getAttribute('href')).toBe('/screens/s1/series')
  expect(screen.getByRole('link', { name: 'met' }).getAttribute('href')).toBe(
    '/screens/s1/series?target=2',
  )
  screen.getByText(/and 1 more/)
  screen.getByText('March')
})

test('a tag leads to the series that have it, and back to all', async () => {
  const page = (screens: object[]) => () =>
    Response.json({ screens }, { headers: { 'X-Total-Count': `${screens.length}` } })
  const [met, src] = [
    { ...started, name: 'met series', tags: ['round 2', 'hot'] },
    { ...started, id: 's2', name: 'src series' },
  ]
  serveCalls({ [LIST]: page([met, src]), [`${LIST}&tag=round+2`]: page([met]) })
  renderRoutes({ '/series': <SeriesListPage /> }, '/series')
  await userEvent.click(await screen.findByRole('link', { name: 'round 2' }))
  await waitFor(() => expect(screen.queryByText('src series')).toBeNull())
  screen.getByText('met series')
  await userEvent.click(screen.getByRole('link', { name: 'Show all' }))
  await screen.findByText('src series')
})

test('a tag that nothing has is named', async () => {
  serveCalls({
    [`${LIST}&tag=old`]: () =>
      Response.json({ screens: [] }, { headers: { 'X-Total-Count': '0' } }),
  })
  renderRoutes({ '/series': <SeriesListPage /> }, '/series?tag=old')
  await screen.findByText('Nothing has the tag “old”.')
})

test('without one it says what a series is', async () => {
  open([])
  await screen.findByText('A series is a screen of at least three compounds.')
})
