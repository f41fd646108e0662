import type { Screen, ScreenRow } from '@pkdex/contract'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { row } from '#web/test/screens.tsx'
import { PairsTab } from './pairs-tab.tsx'

test('the first 25 changes are listed, and all on request', async () => {
  const rows: ScreenRow[] = ['CO', 'CN'].map((smiles, at) => ({ ...row(at + 1, 7), smiles }))
  const numbers = { mean: 0.5, spread: null, lower: null, upper: null, training: null }
  const changes = Array.from({ length: 30 }, (_, at) => ({
    from: '[H]*',
    to: `${'C'.repeat(at + 1)}*`,
    ...numbers,
    training_on_target: null,
    pairs: [{ from: 0, to: 1, change: 0.5 }],
    pair_count: 1,
    measured: 1,
    gaps: 0,
  }))
  serveCalls({
    'GET /measurements/combined?target=src': () => Response.json({ compounds: [] }),
    'POST /series/pairs': () =>
      Response.json({ changes, total: 30, drawings: {}, training_target: null, left_out: [] }),
  })
  const target = { name: 'src', chain: 'A' }
  const tab = (
    <PairsTab screen={{ id: 's1' } as Screen} {...{ target, rows }} change={() => undefined} />
  )
  renderRoutes({ '/': tab }, '/')
  const table = within(await screen.findByRole('table', { name: 'Matched pairs' }))
  expect(table.getAllByRole('row')).toHaveLength(26)
  await userEvent.click(screen.getByRole('button', { name: 'Show all 30' }))
  expect(table.getAllByRole('row')).toHaveLength(31)
  expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
})
