/** The counts of an enumeration, and the way on when its quote or its prediction fails. */
import type { SeriesProducts } from '@pkdex/contract'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { DrawingContext } from '#web/features/series/series-side.tsx'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { FoundProducts } from './found-products.tsx'

const found: SeriesProducts = {
  core: 'c1ccccc1',
  changes: [],
  combinations: 4970,
  skipped_groups: 0,
  skipped_changes: 0,
  known: 12,
  repeated: 0,
  impossible: 0,
  outside: 0,
  flagged: 0,
  products: [],
}
const target = { name: 'src', chain: 'A' }

function show(skipped: Partial<SeriesProducts>) {
  const series = { screen: { id: 's1' }, target }
  const page = <FoundProducts found={{ ...found, ...skipped }} {...series} onPredicted={fail} />
  renderRoutes({ '/': page }, '/')
}

function fail(): never {
  throw new Error('nothing is predicted')
}

test('SPEC 31.4: groups skipped to stay within 5,000 combinations are named', async () => {
  show({ skipped_groups: 7 })
  const sentence =
    'All groups would make more than 5,000 combinations: the 7 rarest groups were skipped.'
  await screen.findByText(sentence)
})

test('SPEC 31.4: changes not applied to every compound are named', async () => {
  show({ core: null, changes: [{ from: '[H]*', to: '*F', lower: 0.1 }], skipped_changes: 1 })
  const sentence =
    '5,000 new molecules were made: the last change was not applied to every compound.'
  await screen.findByText(sentence)
})

test('five of the new molecules are drawn before anything is paid', async () => {
  const made = ['CF', 'CCF', 'CCCF', 'CCCCF', 'CCCCCF', 'CCCCCCF']
  const page = (
    <DrawingContext value={(smiles) => <i>{smiles}</i>}>
      <FoundProducts
        found={{ ...found, products: made.map((smiles) => ({ smiles }) as Product) }}
        screen={{ id: 's1' }}
        target={target}
        onPredicted={fail}
      />
    </DrawingContext>
  )
  const calls = serveCalls({})
  renderRoutes({ '/': page }, '/')
  const drawn = within(await screen.findByRole('list', { name: 'Examples' })).getAllByRole(
    'listitem',
  )
  expect(drawn.map(({ textContent }) => textContent)).toEqual(made.slice(0, 5))
  expect(calls.map(({ name }) => name)).not.toContain('POST /predict')
})

type Product = SeriesProducts['products'][number]

test('skipped groups are not mentioned if all were tried', async () => {
  show({})
  await screen.findByText('4,970')
  expect(screen.queryByText(/skipped|not applied/)).toBeNull()
})

test('a quote and a prediction that fail say what to do, and are tried again', async () => {
  const quote = {
    total: 1,
    to_predict: 1,
    known: 0,
    credits_needed: 1,
    credits_left: 5,
    unusable_count: 0,
  }
  let quotes = 0
  const calls = serveCalls({
    'POST /predict/quote': () => {
      quotes += 1
      return quotes === 1 ? new Response('', { status: 503 }) : Response.json(quote)
    },
    'POST /predict': () => new Response('', { status: 503 }),
  })
  show({ products: [{ smiles: 'CCO' }] as SeriesProducts['products'] })
  await screen.findByText('The cost could not be determined')
  screen.getByText(/Try again, or with fewer molecules\.$/)
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Predict 1' }))
  await screen.findByText('Not all molecules were predicted')
  screen.getByText(/molecules already predicted are free\.$/)
  const ordered = () => calls.filter(({ name }) => name === 'POST /predict').length
  const before = ordered()
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(ordered()).toBe(before + 1)
})
