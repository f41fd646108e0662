/** The report on a screen: top structures, matrix, and the parts that can be hidden. */
import type { ScreenRow } from '@pkdex/contract'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { library, pageOf, row, started } from '#web/test/screens.tsx'
import { ReportPage } from './report-page.tsx'

const pair = (place: number, target: string, pkd: number) => ({ ...row(place, pkd), target })
const outside = { in_domain: false, domain_state: 'outside' as const }
const elsewhere = { in_domain: false, domain_state: 'known_on_other_targets' as const }

const measured = {
  measured_pk: 8.694,
  mass: 407.4,
  log_p: -0.26,
  lipophilic_efficiency: 8.95,
  alerts: ['BRENK thiazole', 'PAINS azo_A(324)'],
}

/** `names`: the targets; every compound has a prediction on each of them. */
function openReport(names: string[], compounds = 8) {
  const targets = names.map((name) => ({ name, chain: 'A' }))
  const rows: Partial<ScreenRow>[] = Array.from({ length: compounds }, (_, at) =>
    names.map((name, column) => pair(at + 1, name, 8 - at / 10 - column)),
  ).flat()
  rows[1] = { ...rows[1], ...elsewhere }
  rows[2] = { ...rows[2], ...outside }
  rows[4] = { ...rows[4], ...measured }
  const total = compounds * names.length
  serveCalls({
    ...library,
    'GET /screens/s1': () =>
      Response.json({ ...started, targets, target_count: names.length, compounds, total }),
    'GET /screens/s1/results?sort=affinity&by=compound&page=1&page_size=1000': pageOf(
      rows,
      compounds,
    ),
    'GET /screens/s1/results?sort=affinity&starred=true&by=compound&page=1&page_size=1000': pageOf(
      rows.slice(0, names.length),
      1,
    ),
    'POST /visualization/molecules': () => Response.json({ pictures: [] }),
  })
  renderRoutes({ '/screens/:id/report': <ReportPage /> }, '/screens/s1/report')
}

const cellsOf = (name: string) =>
  within(screen.getByRole('rowheader', { name }).closest('tr') ?? document.body)
    .getAllByRole('cell')
    .map(({ textContent, dataset }) => [textContent, dataset['state']])

test('SPEC 30.2: a row per compound has the prediction on each target and its domain', async () => {
  openReport(['src', 'abl'])
  await screen.findByRole('rowheader', { name: 'C8' })
  screen.getByText('All 8 compounds, pKd')
  expect(cellsOf('C1')).toEqual([
    ['8.0', 'known_on_target'],
    ['7.0', 'known_on_other_targets'],
    ...['–', '–', '–', ''].map((text) => [text, undefined]),
  ])
  expect(cellsOf('C2')).toEqual([
    ['7.9', 'outside'],
    ['6.9', 'known_on_target'],
    ...['–', '–', '–', ''].map((text) => [text, undefined]),
  ])
  // A measured value comes first, with two decimals.
  expect(cellsOf('C3')).toEqual([
    ['Measured 8.69', 'known_on_target'],
    ['6.8', 'known_on_target'],
    ...['407', '−0.3', '8.9', 'BRENK thiazole +1'].map((text) => [text, undefined]),
  ])
  const top = within(screen.getByRole('region', { name: 'Top structures' }))
  expect(top.getAllByRole('listitem')).toHaveLength(6)
  top.getByText('Strongest predictions on any target')
  screen.getByText('half-width of the 95% interval 1.0 pKd', { exact: false })
})

test('parts of the report can be hidden, and starred compounds shown alone', async () => {
  openReport(['src', 'abl'])
  await screen.findByRole('rowheader', { name: 'C8' })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Top structures' }))
  expect(screen.queryByRole('region', { name: 'Top structures' })).toBeNull()
  expect(screen.queryByText('7.0 to 9.0')).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Alerts' }))
  expect(screen.queryByText('BRENK thiazole +1')).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Intervals' }))
  screen.getByText('7.0 to 9.0')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Starred compounds only' }))
  await screen.findByText('All 1 compound, pKd')
})

test('of more than twelve targets twelve have a column, and others can be selected instead', async () => {
  openReport(
    Array.from({ length: 14 }, (_, at) => `T${at + 1}`),
    2,
  )
  await screen.findByRole('rowheader', { name: 'C1' })
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(heads()).toHaveLength(1 + 12 + 4)
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'T13' }).disabled).toBe(true)
  await userEvent.click(screen.getByRole('checkbox', { name: 'T1' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'T14' }))
  expect(heads()).toContain('T14')
  expect(heads()).not.toContain('T1')
})
