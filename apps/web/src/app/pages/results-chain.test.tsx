/** Choosing another chain beside the reading: the report follows, and the old chain's number leaves. */
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { targetNamed } from '#web/test-files.ts'
import { choosePair, named, openResults, press } from '#web/test-results.tsx'

const predict = 'POST /dta/predict'

afterEach(() => vi.useRealTimers())

test('another chain clears the number of the old one, and spends nothing by itself', async () => {
  const { calls } = await openResults({
    'GET /dta/get_protein_names': () =>
      Response.json({ protein_names: ['abl'], targets: [targetNamed('abl')] }),
    'PUT /file_manager/targets/abl/chain': () => Response.json(targetNamed('abl', 'B')),
    [predict]: () => Response.json({ predicted_kd: 7.84 }),
  })
  await choosePair()
  expect(screen.getByText('pKd = 7.84 ± 1.5')).toBeTruthy()

  await press('Use another chain')
  fireEvent.change(screen.getByLabelText('Chain'), { target: { value: 'B' } })
  await press('Use this chain')
  expect(screen.getByText(/^Chain B, one of 2/)).toBeTruthy()
  expect(screen.queryByText('pKd = 7.84 ± 1.5')).toBeNull()
  expect(named(calls, predict)).toHaveLength(1)
})

test('a target of one chain offers no choice', async () => {
  await openResults({ [predict]: () => Response.json({ predicted_kd: 7.84 }) })
  await choosePair()
  expect(screen.queryByRole('button', { name: 'Use another chain' })).toBeNull()
})
