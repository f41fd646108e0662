/** Selecting another chain next to the prediction: the report follows, and the old chain's prediction is removed. */
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { targetNamed } from '#web/test/files.ts'
import { choosePair, named, openResults, press, reading } from '#web/test/results.tsx'

const predict = 'POST /dta/predict'

test('another chain clears the prediction, and uses no credits on its own', async () => {
  const { calls } = await openResults({
    'GET /dta/get_protein_names': () =>
      Response.json({ protein_names: ['abl'], residues: [274], file_count: 1 }),
    'GET /file_manager/targets/abl': () => Response.json(targetNamed('abl')),
    'PUT /file_manager/targets/abl/chain': () => Response.json(targetNamed('abl', 'B')),
    [predict]: () => Response.json({ predicted_kd: 7.84 }),
  })
  await choosePair()
  screen.getByText(reading('7.84'))

  await press('Use another chain')
  fireEvent.change(screen.getByLabelText('Chain'), { target: { value: 'B' } })
  await press('Use this chain')
  screen.getByText(/^Chain B, one of 2/)
  expect(screen.queryByText(reading('7.84'))).toBeNull()
  expect(named(calls, predict)).toHaveLength(1)
})

test('a target with one chain offers no choice', async () => {
  await openResults({ [predict]: () => Response.json({ predicted_kd: 7.84 }) })
  await choosePair()
  expect(screen.queryByRole('button', { name: 'Use another chain' })).toBeNull()
})

test('the 3D tab says what the prediction uses, and what it does not', async () => {
  await openResults({ [predict]: () => Response.json({ predicted_kd: 7.84 }) })
  await choosePair('abl', 'imatinib')
  fireEvent.click(screen.getByRole('tab', { name: '3D' }))
  expect(screen.getByText(/^The prediction uses/).textContent).toBe(
    'The prediction uses the sequence of chain A of abl (274 residues) and the 2D structure of the compound. Pocket and ligand count once a screen has placed the compound; stereochemistry is not used.',
  )
})
