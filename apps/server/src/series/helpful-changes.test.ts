import type { GroupChange } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { chooseHelpful } from './helpful-changes.ts'

const change = (rest: Partial<GroupChange>): GroupChange => ({
  from: '[H]*',
  to: '*F',
  pairs: [],
  pair_count: 0,
  measured: 0,
  mean: null,
  spread: null,
  lower: null,
  upper: null,
  gaps: null,
  training: null,
  training_on_target: null,
  ...rest,
})

test('changes that reliably raised pK are applied, in either direction, most reliable first', () => {
  const helpful = chooseHelpful([
    change({ to: '*F', lower: 0.2, upper: 1 }),
    change({ to: '*Cl', lower: -1.5, upper: -0.6 }),
    change({ to: '*Br', lower: -0.4, upper: 0.5 }),
  ])
  expect(helpful).toEqual([
    { from: '*Cl', to: '[H]*', lower: 0.6 },
    { from: '[H]*', to: '*F', lower: 0.2 },
  ])
})

test('without own values, the target’s training data decide if they have at least five pairs', () => {
  const training = { mean: 0.5, spread: 0.5 }
  const helpful = chooseHelpful([
    change({ to: '*Cl', training_on_target: { ...training, pairs: 25 } }),
    change({ to: '*Br', training_on_target: { ...training, pairs: 4 } }),
    change({ to: '*I', training: { ...training, pairs: 100, assays: 9 } }),
  ])
  expect(helpful).toEqual([{ from: '[H]*', to: '*Cl', lower: expect.closeTo(0.304, 3) }])
})
