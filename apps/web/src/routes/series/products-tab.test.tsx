/** An enumeration takes up to minutes: it shows how far it is, can be cancelled, and can be asked again. */
import type { ScreenRow, SeriesProducts } from '@pkdex/contract'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { ProductsTab } from './products-tab.tsx'

const rows = ['CCO', 'CCN', 'CCF'].map((smiles) => ({ smiles, compound: smiles }) as ScreenRow)
const none: SeriesProducts = {
  core: 'CC*',
  changes: [],
  combinations: 3,
  skipped_groups: 0,
  skipped_changes: 0,
  known: 3,
  repeated: 0,
  impossible: 0,
  outside: 0,
  flagged: 0,
  products: [],
}

const series = { id: 's1' }

function show(answer: () => Response | Promise<Response>) {
  const calls = serveCalls({
    'GET /measurements': () => Response.json({ rows: [], count: 0 }),
    'GET /series/progress': () => Response.json({ running: { done: 1, total: 4 } }),
    'POST /series/products': answer,
  })
  const target = { name: 'src', chain: 'A' }
  const tab = (
    <ProductsTab
      {...{ screen: series, rows, target }}
      core={undefined}
      applied={null}
      onPredicted={() => {}}
    />
  )
  renderRoutes({ '/': tab }, '/')
  const enumerations = () => calls.filter(({ name }) => name === 'POST /series/products').length
  return { enumerations }
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('SPEC 31.4: an enumeration shows how far it is, and is cancelled', async () => {
  const { enumerations } = show(() => new Promise(() => {}))
  await press('Enumerate')
  await screen.findByText('Computing new molecules … 25%')
  await press('Cancel')
  await screen.findByText('Cancelled.')
  expect(screen.queryByText(/^Computing/)).toBeNull()
  await press('Compute')
  await screen.findByText(/^Computing new molecules/)
  expect(enumerations()).toBe(2)
})

test('an enumeration that fails is tried again', async () => {
  let isUp = false
  show(() => (isUp ? Response.json(none) : new Response('', { status: 503 })))
  await press('Enumerate')
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  isUp = true
  await userEvent.click(retry)
  await screen.findByText('Tried')
})

test('the same question is asked again by the same button', async () => {
  const { enumerations } = show(() => Response.json(none))
  await press('Enumerate')
  await screen.findByText('Tried')
  await press('Enumerate')
  await screen.findByText('Tried')
  expect(enumerations()).toBe(2)
})

test('a limit that is not a number is refused, and an empty one is no limit', async () => {
  const { enumerations } = show(() => Response.json(none))
  const mass = screen.getByLabelText(/^Max\. M/)
  await userEvent.clear(mass)
  await userEvent.type(mass, '5o0')
  await press('Enumerate')
  await screen.findByText('Enter a number.')
  expect(enumerations()).toBe(0)
  await userEvent.clear(mass)
  await press('Enumerate')
  await screen.findByText('Tried')
  expect(enumerations()).toBe(1)
})
