/** A task in progress: how it is polled, what ends it, what does not, and its effect on the credits. */
import { POLL_INTERVAL_MS } from '@pkdex/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '#web/test/calls.ts'
import {
  choose,
  choosePair,
  openResults,
  pass,
  press,
  result,
  reading,
} from '#web/test/results.tsx'

const REQUEST = 'POST /dta/predict'
const POLL = 'GET /dta/predict/t1'
const CREDITS = 'GET /dta/credits'

test('SPEC 4.6, 9.1: a task is polled every 1500 ms', async () => {
  expect(POLL_INTERVAL_MS).toBe(1500)
  const { countOf } = await openTask([{ status: 'PENDING' }])
  await pass(1400)
  expect(countOf(POLL)).toBe(0)
  await pass(100)
  expect(countOf(POLL)).toBe(1)
  await pass(1400)
  expect(countOf(POLL)).toBe(1)
  await pass(100)
  expect(countOf(POLL)).toBe(2)
})

test('SPEC 4.7, 7.10: SUCCESS stops polling and shows the result', async () => {
  const { countOf } = await openTask([
    { status: 'STARTED' },
    { status: 'SUCCESS', result: result(7.84), message: null, credits_charged: 1 },
  ])
  await pass(1500)
  screen.getByText('Predicting')
  await pass(1500)
  screen.getByText(reading('7.84'))
  screen.getByText('1 credit used')
  expect(screen.queryByText('Predicting')).toBeNull()
  await pass(6000)
  expect(countOf(POLL)).toBe(2)
})

test('SPEC 4.7: SUCCESS reloads the credits once', async () => {
  const { countOf } = await openTask([{ status: 'SUCCESS', result: result(7.84) }])
  const before = countOf(CREDITS)
  await pass(6000)
  expect(countOf(CREDITS)).toBe(before + 1)
})

test.each([
  ['a bare number', 6.5],
  ['an object with the value alone', { predicted_kd: 6.5 }],
])('SPEC 3.5: %s is understood as a result', async (_, bare) => {
  await openTask([{ status: 'SUCCESS', result: bare }])
  await pass(1500)
  screen.getByText(reading('6.50'))
})

test('SPEC 4.8: FAILURE shows the message, reloads the credits and stops polling', async () => {
  const message = 'The worker stopped before it had a value.'
  const { countOf } = await openTask([{ status: 'FAILURE', message, credits_charged: 0 }])
  const before = countOf(CREDITS)
  await pass(6000)
  expect(screen.getByRole('alert').textContent).toContain(message)
  screen.getByText('1 credit refunded')
  expect(countOf(CREDITS)).toBe(before + 1)
  expect(countOf(POLL)).toBe(1)
})

test("SPEC 4.8: FAILURE without a message shows 'Prediction failed'", async () => {
  await openTask([{ status: 'FAILURE', message: null }])
  await pass(1500)
  expect(screen.getByRole('alert').textContent).toContain('Prediction failed')
})

test.each([401, 403])('SPEC 4.9: %d while polling shows an error and stops', async (status) => {
  const { countOf } = await openTask([refuse(status, 'No.')])
  await pass(9000)
  expect(screen.getByRole('alert').textContent).toContain(
    'Authentication error. Please login again.',
  )
  screen.getByRole('button', { name: 'Return to Login' })
  expect(countOf(POLL)).toBe(1)
})

test('an unknown status keeps polling', async () => {
  const { countOf } = await openTask([{ status: 'REHEARSING' }])
  await pass(4500)
  expect(countOf(POLL)).toBe(3)
  screen.getByText('Predicting')
})

test('an outage does not end a task: it is shown, and polling continues', async () => {
  const { countOf } = await openTask([
    'unreachable',
    refuse(503),
    refuse(429, 'Too many requests.'),
    { status: 'SUCCESS', result: 7.84 },
  ])
  await pass(1500)
  screen.getByText('Connection lost')
  await pass(3000)
  expect(screen.queryByRole('alert')).toBeNull()
  await pass(1500)
  screen.getByText(reading('7.84'))
  expect(screen.queryByText('Connection lost')).toBeNull()
  expect(countOf(POLL)).toBe(4)
})

test('a deleted task ends with the server’s message', async () => {
  const { countOf } = await openTask([refuse(404, 'Prediction not found.')])
  await pass(4500)
  expect(screen.getByRole('alert').textContent).toContain('Prediction not found.')
  expect(countOf(POLL)).toBe(1)
})

test('a task that succeeds without a result shows an error', async () => {
  await openTask([{ status: 'SUCCESS', result: null }])
  await pass(1500)
  expect(screen.getByRole('alert').textContent).toContain('Failed to get prediction')
})

test('predicting again after Try Again polls again, even if the server returns the same task', async () => {
  await openTask([refuse(404, 'Prediction not found.'), { status: 'SUCCESS', result: 6.5 }])
  await pass(1500)
  await press('Try Again')
  await press('Predict')
  await pass(1500)
  screen.getByText(reading('6.50'))
})

test('selecting another pair stops polling the first and never shows its result', async () => {
  let requests = 0
  const { countOf } = await openResults({
    [REQUEST]: () => Response.json(requests++ === 0 ? { task_id: 't1' } : { predicted_kd: 5 }),
    [POLL]: () => Response.json({ status: 'SUCCESS', result: 9 }),
  })
  await choosePair()
  await choose('aspirin')
  await pass(6000)
  screen.getByText(reading('5.00'))
  expect(countOf(POLL)).toBe(0)
})

test('while waiting the stage and the elapsed time are shown', async () => {
  await openTask([{ status: 'PENDING' }, { status: 'STARTED' }])
  await pass(1500)
  screen.getByText('Queued for 2 s')
  await pass(1500)
  screen.getByText('Running for 3 s')
  await pass(62_000)
  screen.getByText('Running for 1 min 5 s')
})

/** Requests the pair; each poll gets the next response, and the last one repeatedly. */
async function openTask(answers: (Response | object | 'unreachable')[]) {
  let polled = 0
  const world = await openResults({
    [REQUEST]: () => Response.json({ task_id: 't1', credits_charged: 1 }),
    [POLL]: () => {
      const answer = answers[Math.min(polled, answers.length - 1)]
      polled += 1
      if (answer === 'unreachable') throw new TypeError('Failed to fetch')
      return answer instanceof Response ? answer.clone() : Response.json(answer)
    },
  })
  await choosePair()
  return world
}
