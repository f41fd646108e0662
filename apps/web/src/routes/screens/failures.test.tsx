/** Failed loads on the page of a screen show a message, and one click retries them. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { firstPage, library, openScreen, pageOf, row, started } from '#web/test/screens.tsx'
import { SeriesPage } from '#web/routes/series/series-page.tsx'
import { ReportPage } from './report-page.tsx'
import { ScreenPage } from './screen-page.tsx'

test('rows that cannot be loaded are loaded by Retry, and there are no filters to clear', async () => {
  let isDown = true
  const answer = () => {
    if (isDown) throw new TypeError('Failed to fetch')
    return pageOf([row(2, 8.1)])()
  }
  openScreen({ [firstPage]: answer })
  expect((await screen.findByRole('alert')).textContent).toContain('The server cannot be reached.')
  expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull()
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('8.1')
})

test('a heat map that cannot be loaded shows a message instead of waiting forever', async () => {
  const down = () => {
    throw new TypeError('Failed to fetch')
  }
  openScreen({ 'GET /screens/s1/matrix': down }, '?view=map')
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the predictions')
})

test('the focus stays on the page when a filter is removed or all are cleared', async () => {
  const none = pageOf([])
  const path = (filter: string) =>
    `GET /screens/s1/results?sort=affinity&${filter}&page=1&page_size=100`
  openScreen({ [path('min=9&max=10')]: none, [path('max=10')]: none }, '?min=9&max=10')
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the filter pKd ≥ 9' }))
  expect(document.activeElement?.textContent).toBe('Filter')
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Name or SMILES'))
})

test('a series says which of its parts could not be loaded, and loads them on request', async () => {
  const calls = serveCalls({ ...library, 'GET /screens/s1': () => Response.json(started) })
  renderRoutes({ '/screens/:id/series': <SeriesPage /> }, '/screens/s1/series')
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain(
      'Failed to load the compounds, your measured values and the make list',
    ),
  )
  const before = calls.length
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(before + 3))
})

test.each([
  ['/screens/:id', ScreenPage],
  ['/screens/:id/report', ReportPage],
  ['/screens/:id/series', SeriesPage],
])('%s of an unknown screen links to the list of screens', async (path, Page) => {
  serveCalls({ ...library, 'GET /screens/s9': () => refuse(404, 'Screen not found.') })
  renderRoutes({ [path]: <Page /> }, path.replace(':id', 's9'))
  expect((await screen.findByRole('alert')).textContent).toContain('Screen not found.')
  expect(screen.getByRole('link', { name: 'Screens' }).getAttribute('href')).toBe('/screens')
})
