/** A compound is edited on the results page, and its number follows. */
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Call } from '#web/test/calls.ts'
import { choosePair, named, openResults, pass } from '#web/test/results.tsx'

// The editor draws on a canvas, which the test's browser does not have.
vi.mock('#web/features/files/structure-editor.tsx', () => ({
  StructureEditor: ({ onChange }: { onChange: (smiles: string) => void }) => (
    <input aria-label="Drawn" onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  ),
}))

/** `CCO` is known, everything else costs a credit. */
const priced = {
  'POST /predict/quote': ({ body }: Call) => {
    const isKnown = Object(body).smiles === 'CCO'
    const [known, to_predict] = isKnown ? [1, 0] : [0, 1]
    const credits = { credits_needed: to_predict, credits_left: 5, unusable_count: 0 }
    return Response.json({ total: 1, known, to_predict, ...credits })
  },
  'POST /predict': ({ body }: Call) => {
    const best = { best_kd: Object(body).smiles.length + 4, best_interval: { lower: 6, upper: 8 } }
    const number = { ...best, predicted_kd: 7, interval: null, domain: null, reason: null }
    return Response.json({
      id: 's9',
      status: 'DONE',
      credits_charged: 0,
      model_version: '1',
      target: { name: 'src', chain: 'A' },
      predictions: [{ smiles: Object(body).smiles, unit: 'pKd', ...number }],
    })
  },
}

async function draw(smiles: string) {
  fireEvent.change(screen.getByLabelText('Drawn'), { target: { value: smiles } })
  await pass(500)
  await pass(100)
}

test('SPEC 30.15: the number of an edited compound follows: at once if it is known, else for a credit that is said before', async () => {
  const { calls } = await openResults({
    ...priced,
    'POST /dta/predict': () => Response.json({ predicted_kd: 7 }),
  })
  await choosePair('src')
  const compound = within(screen.getByRole('region', { name: 'Compound' }))
  fireEvent.click(compound.getByRole('button', { name: 'Edit' }))
  await vi.waitFor(() => screen.getByLabelText('Drawn'), 50_000)
  const dialog = within(screen.getByRole('dialog'))
  await draw('CCO')
  dialog.getByText('pKd 7.00')
  await draw('CCCO')
  expect(named(calls, 'POST /predict')).toHaveLength(1)
  fireEvent.click(dialog.getByRole('button', { name: 'Predict (1 credit)' }))
  await pass(100)
  dialog.getByText('pKd 8.00')
  expect(named(calls, 'POST /predict').map(({ body }) => body)).toEqual([
    { smiles: 'CCO', target: 'src', chain: 'A' },
    { smiles: 'CCCO', target: 'src', chain: 'A' },
  ])
})
