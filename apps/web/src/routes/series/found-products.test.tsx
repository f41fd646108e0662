/** The counts of an enumeration. */
import type { SeriesProducts } from '@pkdex/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderRoutes } from '#web/test/screen.tsx'
import { FoundProducts } from './found-products.tsx'

const found: SeriesProducts = {
  core: 'c1ccccc1',
  changes: [],
  combinations: 4970,
  skipped_groups: 0,
  skipped_changes: 0,
  known: 12,
  impossible: 0,
  outside: 0,
  flagged: 0,
  products: [],
}
const target = { name: 'src', chain: 'A' }

function show(skipped: Partial<SeriesProducts>) {
  const page = <FoundProducts found={{ ...found, ...skipped }} target={target} onPredicted={fail} />
  renderRoutes({ '/': page }, '/')
}

function fail(): never {
  throw new Error('nothing is predicted')
}

test('SPEC 31.4: groups skipped to stay within 5,000 combinations are named', async () => {
  show({ skipped_groups: 7 })
  const sentence =
    'All groups would make more than 5,000 combinations: the 7 rarest groups were skipped.'
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('SPEC 31.4: changes not applied to every compound are named', async () => {
  show({ core: null, changes: [{ from: '[H]*', to: '*F', lower: 0.1 }], skipped_changes: 1 })
  const sentence =
    '5,000 new molecules were made: the last change was not applied to every compound.'
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('skipped groups are not mentioned if all were tried', async () => {
  show({})
  expect(await screen.findByText('4,970')).toBeDefined()
  expect(screen.queryByText(/skipped|not applied/)).toBeNull()
})
