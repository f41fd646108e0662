/** The balance on screen is the one that the latest quote was made with. */
import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { test } from 'vitest'
import { CreditsCounter, creditsQuery } from '#web/features/credits/credits-counter.tsx'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { NewScreenPage } from './new-screen-page.tsx'

const quote = {
  targets: 1,
  compounds: 1,
  total: 1,
  known: 0,
  duplicates: 0,
  stereoisomers: 0,
  to_predict: 1,
  credits_needed: 1,
  credits_left: 600,
  unusable: [],
  unusable_count: 0,
  model_version: '1',
}

function Price() {
  const { data } = useQuery(creditsQuery())
  return <p>{`${data?.credits_per_prediction} credits each`}</p>
}

test('the balance in the header follows the quote, and the cost of a prediction stays', async () => {
  serveCalls({
    'GET /dta/get_protein_names': () => Response.json({ protein_names: ['src'], residues: [274] }),
    'GET /dta/get_compound_names': () => Response.json({ compound_names: ['C1'] }),
    'GET /file_manager/targets/src': () => new Response('', { status: 404 }),
    'GET /dta/credits': () => Response.json({ credits: 89, credits_per_prediction: 2 }),
    'POST /screens/quote': () => Response.json(quote),
  })
  const page = (
    <>
      <CreditsCounter />
      <Price />
      <NewScreenPage />
    </>
  )
  renderRoutes({ '/screens/new': page }, '/screens/new')
  await screen.findByText('89', { selector: 'output b' })
  await screen.findByText('600', { selector: 'output b' })
  screen.getByText('2 credits each')
})
