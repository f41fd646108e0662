/** The keys on the Account page. */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { OwnKeys } from './own-keys.tsx'

const LIST = 'GET /account/keys'
const MAKE = 'POST /account/keys'

const notebook = {
  id: 'k1',
  name: 'notebook',
  prefix: 'pkdex_k_AbCdEf',
  calls_per_day: 500,
  calls_today: 12,
  created_at: '2026-11-20T12:00:00.000Z',
  last_used_at: null,
}

test('a key is created with a name and a daily limit, and shown until Done', async () => {
  const calls = open({
    [MAKE]: () => Response.json({ key: 'pkdex_k_secret', prefix: 'pkdex_k_s' }),
  })
  await screen.findByText('No API keys yet.')
  await userEvent.type(screen.getByLabelText('Name'), ' notebook ')
  await userEvent.type(screen.getByLabelText('Daily call limit'), '500')
  await userEvent.click(screen.getByRole('button', { name: 'Create API key' }))
  await screen.findByText('pkdex_k_secret')
  expect(calls.find(({ name }) => name === MAKE)?.body).toEqual({
    name: 'notebook',
    calls_per_day: 500,
  })
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText('pkdex_k_secret')).toBeNull()
})

test.each([
  ['', '', 'Enter a name.'],
  ['cron', '1.5', 'Enter a whole number of 1 or more, or leave empty.'],
])(
  '“%s” with “%s” requests per day shows what is wrong, and creates nothing',
  async (name, bound, told) => {
    const calls = open({})
    if (name !== '') await userEvent.type(screen.getByLabelText('Name'), name)
    if (bound !== '') await userEvent.type(screen.getByLabelText('Daily call limit'), bound)
    await userEvent.click(screen.getByRole('button', { name: 'Create API key' }))
    screen.getByText(told)
    expect(calls.some((call) => call.name === MAKE)).toBe(false)
  },
)

test('a key is listed with its limit and revoked after confirmation', async () => {
  let keys = [notebook]
  open({
    [LIST]: () => Response.json({ keys }),
    'DELETE /account/keys/k1': () => {
      keys = []
      return Response.json({ message: 'The API key was revoked.' })
    },
  })
  const table = within(await screen.findByRole('table', { name: 'API keys' }))
  table.getByText('12 of 500 calls today')
  await userEvent.click(table.getByRole('button', { name: 'Revoke notebook' }))
  await userEvent.click(screen.getByRole('button', { name: 'Revoke' }))
  await screen.findByText('notebook was revoked.')
  await waitFor(() => expect(screen.getByText('No API keys yet.')).toBeDefined())
})

test('an error while creating a key is shown', async () => {
  open({ [MAKE]: () => refuse(409, 'You have 20 keys, which is the most.') })
  await userEvent.type(screen.getByLabelText('Name'), 'one more')
  await userEvent.click(screen.getByRole('button', { name: 'Create API key' }))
  await screen.findByText('You have 20 keys, which is the most.')
})

function open(handlers: Parameters<typeof serveCalls>[0]) {
  const calls = serveCalls({ [LIST]: () => Response.json({ keys: [] }), ...handlers })
  renderRoutes({ '/account': <OwnKeys /> }, '/account')
  return calls
}
