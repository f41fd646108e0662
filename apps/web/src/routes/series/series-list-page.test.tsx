import { screen } from '@testing-library/react'
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

test('without one it says what a series is', async () => {
  open([])
  await screen.findByText('A series is a screen of at least three compounds.')
})
