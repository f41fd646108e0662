import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { predictGaps } from './series-queries.ts'

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
  expect(await predictGaps(['CCO', 'CCN'], { name: 'MET', chain: 'A' })).toBe('order-1')
  expect(calls).toHaveLength(3)
  expect(new Set(calls.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
})
