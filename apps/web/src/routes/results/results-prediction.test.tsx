/** From a selected pair to its prediction: requested once, polled, refused, failed, deselected, overtaken. */
import { act, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { SETTLE_MS } from '#web/features/predictions/prediction-state.ts'
import { refuse } from '#web/test/calls.ts'
import {
  choose,
  choosePair,
  held,
  named,
  openResults,
  pass,
  press,
  result,
  reading,
} from '#web/test/results.tsx'

const REQUEST = 'POST /dta/predict'
const POLL = 'GET /dta/predict/t1'
const CREDITS = 'GET /dta/credits'

const asTask = () => Response.json({ task_id: 't1', credits_charged: 1 })
const direct = (pkd: number) => () => Response.json({ predicted_kd: pkd, result: result(pkd) })

test('SPEC 3.4, 4.5: selecting both requests the pair once, by names', async () => {
  const { calls, countOf } = await openResults({ [REQUEST]: direct(7.84) })
  await choose('abl')
  expect(countOf(REQUEST)).toBe(0)
  await choose('imatinib')
  expect(named(calls, REQUEST).map(({ body }) => body)).toEqual([
    { protein_id: 'abl', compound_id: 'imatinib' },
  ])
})

test('SPEC 3.5, 4.10, 9.2: predicted_kd is shown as pKd = value ± 1.5 at a 95% level', async () => {
  await openResults({ [REQUEST]: () => Response.json({ predicted_kd: 7.836 }) })
  await choosePair()
  screen.getByText(reading('7.84'))
  screen.getByText('± 1.5 by convention (95%)')
  screen.getByText('6.34 to 9.34')
  expect(screen.queryByText(/calibrated/)).toBeNull()
})

test('SPEC 4.5: another pair clears the previous result immediately and loads', async () => {
  const second = held({ predicted_kd: 5 })
  let requests = 0
  await openResults({ [REQUEST]: () => (requests++ === 0 ? direct(7.84)() : second.answer()) })
  await choosePair()
  await choose('aspirin')
  expect(screen.queryByText(/7\.84/)).toBeNull()
  screen.getByText('Predicting')
  second.release()
  await pass(20)
  screen.getByText(reading('5.00'))
})

test('SPEC 29.23: a pose that is ready later moves the number, and the cost stays that of the prediction', async () => {
  const best = (predicted_kd: number) => ({
    predicted_kd,
    interval: { lower: 6, upper: 9, level: 0.95 },
    own_values: 0,
  })
  const placing = { ...result(7.84), best_estimate: best(7.84), is_being_placed: true }
  const placed = { ...result(7.84), best_estimate: { ...best(8.02), pose: best(8.02) } }
  const answers = [
    { predicted_kd: 7.84, result: placing, credits_charged: 1 },
    { predicted_kd: 7.84, result: placed, credits_charged: 0 },
  ]
  const { countOf } = await openResults({ [REQUEST]: () => Response.json(answers.shift()) })
  await choosePair()
  screen.getByText(reading('7.84'))
  await pass(1100)
  screen.getByText(reading('8.02'))
  screen.getByText('1 credit used')
  await pass(5000)
  expect(countOf(REQUEST)).toBe(2)
})

test('SPEC 4.5: another pair clears the previous error', async () => {
  let requests = 0
  await openResults({
    [REQUEST]: () => (requests++ === 0 ? refuse(500, 'It broke.') : direct(5)()),
  })
  await choosePair()
  screen.getByText('It broke.')
  await choose('aspirin')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('going back online or to the window does not send a second request', async () => {
  const { countOf } = await openResults({ [REQUEST]: () => refuse(500, 'It broke.') })
  await choosePair()
  for (const event of ['offline', 'online', 'focus', 'visibilitychange']) {
    window.dispatchEvent(new Event(event))
    await pass(SETTLE_MS)
    await pass(20)
  }
  expect(countOf(REQUEST)).toBe(1)
})

test('a late response is not shown for the pair selected now', async () => {
  const first = held({ predicted_kd: 3 })
  const second = held({ predicted_kd: 9 })
  let requests = 0
  await openResults({ [REQUEST]: () => (requests++ === 0 ? first.answer() : second.answer()) })
  await choosePair()
  await choose('aspirin')
  second.release()
  await pass(20)
  first.release()
  await pass(20)
  screen.getByText(reading('9.00'))
  expect(screen.queryByText(/3\.00/)).toBeNull()
})

describe('links and reloads', () => {
  const search = '?target=abl&compound=imatinib'

  test('a link selects its pair and uses no credits until confirmed', async () => {
    const { countOf } = await openResults({ [REQUEST]: direct(7.84) }, { search })
    expect(selectedNames()).toHaveLength(2)
    expect(countOf(REQUEST)).toBe(0)
    await press('Predict')
    expect(countOf(REQUEST)).toBe(1)
    screen.getByText(reading('7.84'))
  })

  test('a reload requests its pair again, once', async () => {
    const { countOf } = await openResults(
      { [REQUEST]: direct(7.84) },
      { search, state: { requestedAt: 1, user: null } },
    )
    expect(countOf(REQUEST)).toBe(1)
    screen.getByText(reading('7.84'))
  })

  test('going back in a tab to another user’s pair uses no credits', async () => {
    const { countOf } = await openResults(
      { [REQUEST]: direct(7.84) },
      { search, state: { requestedAt: 1, user: 'somebody.else@example.org' } },
    )
    expect(countOf(REQUEST)).toBe(0)
  })

  test('going back to a pair shows its prediction again without a request', async () => {
    let requests = 0
    const { router, countOf } = await openResults({
      [REQUEST]: () => Response.json({ predicted_kd: requests++ === 0 ? 7.84 : 5 }),
    })
    await choosePair()
    await act(() => router.navigate('/results'))
    await choosePair('src', 'aspirin')
    screen.getByText(reading('5.00'))
    await act(() => router.navigate(-1))
    screen.getByText(reading('7.84'))
    expect(countOf(REQUEST)).toBe(2)
  })

  test('a link within the page, like the skip link, keeps the prediction', async () => {
    const { router } = await openResults({ [REQUEST]: direct(7.84) })
    await choosePair()
    await act(() => router.navigate(`${search}#main`))
    screen.getByText(reading('7.84'))
  })

  test('a link with an unknown name selects and requests nothing', async () => {
    const entry = {
      search: '?target=theirs&compound=imatinib',
      state: { requestedAt: 1, user: null },
    }
    const { countOf } = await openResults({ [REQUEST]: direct(7.84) }, entry)
    expect(selectedNames()).toHaveLength(1)
    expect(countOf(REQUEST)).toBe(0)
  })
})

test('SPEC 4.11: deselecting clears the error', async () => {
  await openResults({ [REQUEST]: () => refuse(500, 'It broke.') })
  await choosePair()
  await choose('abl')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('deselecting stops polling', async () => {
  const { countOf } = await openResults({
    [REQUEST]: asTask,
    [POLL]: () => Response.json({ status: 'STARTED' }),
  })
  await choosePair()
  await pass(1500)
  await choose('abl')
  await pass(6000)
  expect(countOf(POLL)).toBe(1)
  expect(screen.queryByText('Predicting')).toBeNull()
})

test('SPEC 8.12: the panel says that both are needed while either is missing', async () => {
  await openResults({ [REQUEST]: direct(7.84) })
  const sentence = 'Please select both a target and a drug'
  screen.getByText(sentence)
  await choose('imatinib')
  screen.getByText(sentence)
  await choose('abl')
  expect(screen.queryByText(sentence)).toBeNull()
})

test('SPEC 8.11: a failed request shows the server’s message', async () => {
  await openResults({ [REQUEST]: () => refuse(404, 'There is no target of that name.') })
  await choosePair()
  expect(screen.getByRole('alert').textContent).toContain('There is no target of that name.')
  screen.getByText('No credit used')
})

test('SPEC 8.11: a failed request shows the client’s message if the server sends none', async () => {
  await openResults({})
  await choosePair()
  expect(screen.getByRole('alert').textContent).toContain('The server cannot be reached.')
})

test("SPEC 8.11: a failed request shows 'Failed to get prediction' if there is no message", async () => {
  await openResults({ [REQUEST]: () => Response.json({ surprise: true }) })
  await choosePair()
  expect(screen.getByRole('alert').textContent).toContain('Failed to get prediction')
})

test('SPEC 4.12: Try Again clears the error and sends no request', async () => {
  let requests = 0
  const { countOf } = await openResults({
    [REQUEST]: () =>
      requests++ === 0 ? refuse(500, 'It broke.') : Response.json({ predicted_kd: 6.5 }),
  })
  await choosePair()
  await press('Try Again')
  expect(screen.queryByText('It broke.')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  await pass(6000)
  expect(countOf(REQUEST)).toBe(1)
  await press('Predict')
  screen.getByText(reading('6.50'))
  expect(countOf(REQUEST)).toBe(2)
})

test('too few credits are reported as such, and the balance is reloaded', async () => {
  const { countOf } = await openResults({
    [REQUEST]: () => refuse(402, 'You have 3 of 5 credits.'),
  })
  const before = countOf(CREDITS)
  await choosePair()
  screen.getByText('Not enough credits')
  screen.getByText('You have 3 of 5 credits.')
  expect(countOf(CREDITS)).toBe(before + 1)
})

test('without credits and without a server message the administrator is named', async () => {
  await openResults({ [REQUEST]: () => refuse(402) })
  await choosePair()
  screen.getByText('Ask your administrator for more.')
})

test('a refused key redirects to the login', async () => {
  await openResults({ [REQUEST]: () => refuse(401, 'Sign in first.') })
  await choosePair()
  expect(screen.getByRole('alert').textContent).toContain('Sign in first.')
  screen.getByRole('button', { name: 'Return to Login' })
})

test('the value is announced once, politely; waiting is not announced', async () => {
  const answer = held({ predicted_kd: 7.84, result: result(7.84) })
  await openResults({ [REQUEST]: answer.answer })
  await choosePair()
  expect(announced()).not.toContain('pKd')
  answer.release()
  await pass(20)
  expect(announced().match(/pKd 7\.84, plus or minus 1\.5, moderate/g)).toHaveLength(1)
})

function announced(): string {
  return screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('\n')
}

function selectedNames() {
  return screen
    .getAllByRole('listbox')
    .flatMap((list) => within(list).queryAllByRole('option', { selected: true }))
}
