import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { predictFollowUp } from './series-queries.ts'

test('an order that takes longer than one request is polled and charged once', async () => {
  const statuses = ['RUNNING', 'QUEUED', 'DONE']
  const calls = serveCalls({
    'POST /predict': () =>
      Response.json({
        id: 'order-1',
        status: statuses.shift(),
        target: { name: 'MET', chain: 'A' },
        model_version: '1',
        credits_charged: 2,
        predictions: [],
      }),
  })
  const target = { name: 'MET', chain: 'A' }
  await predictFollowUp({ screenId: 's1', smiles: ['CCO', 'CCN'], target })
  expect(calls).toHaveLength(3)
  expect(calls[0]?.body).toMatchObject({ smiles: ['CCO', 'CCN'], screen: 's1' })
  expect(new Set(calls.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
})
