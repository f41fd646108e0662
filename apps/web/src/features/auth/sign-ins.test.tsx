/** Sign-ins on the Account page. */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { finishReturn, goToProvider } from './provider-flow.ts'
import { SignIns } from './sign-ins.tsx'

const LIST = 'GET /account/sign-ins'
const added_at = '2026-11-20T12:00:00.000Z'
const lab = { id: 's1', provider: 'Lab', email: 'ada@lab.example', added_at }
const google = { id: 's2', provider: 'Google', email: 'ada@gmail.com', added_at }

function open(
  signIns: object[],
  handlers: Parameters<typeof serveCalls>[0] = {},
  more: object = {},
) {
  const answer = { sign_ins: signIns, providers: [], google_nonce: null, ...more }
  const calls = serveCalls({ [LIST]: () => Response.json(answer), ...handlers })
  renderRoutes({ '/account': <SignIns /> }, '/account')
  return calls
}

test('SPEC 34.7: the only sign-in cannot be removed, and nothing is offered where nothing can be added', async () => {
  open([lab])
  const table = within(await screen.findByRole('table', { name: 'Sign-in' }))
  table.getByText('ada@lab.example')
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('SPEC 34.7: one of several is removed after confirmation', async () => {
  const calls = open([lab, google], {
    'DELETE /account/sign-ins/s1': () => Response.json({ message: 'Removed.' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Lab' }))
  await screen.findByText(/Your other sessions end/)
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  await screen.findByText('Lab was removed.')
  expect(calls.some(({ name }) => name === 'DELETE /account/sign-ins/s1')).toBe(true)
})

test('SPEC 34.5: an account is added in a new tab, and only with the return that belongs to it', async () => {
  const tab = { location: { href: '' }, close: vi.fn<() => void>() }
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window)
  const flow = { state: 'state-1', nonce: 'n', verifier: 'v' }
  const calls = open(
    [google],
    {
      'POST /account/sign-ins/begin': () => Response.json({ url: 'https://id.example/a', flow }),
      'POST /account/sign-ins': () => Response.json({ message: 'Added.' }),
    },
    { providers: ['Lab'] },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Add Lab' }))
  await waitFor(() => expect(tab.location.href).toBe('https://id.example/a'))
  await expect(finishReturn('?code=c&state=another')).rejects.toThrow('was not started')
  expect(await finishReturn('?code=c&state=state-1')).toBe('/account?view=account')
  expect(calls.find(({ name }) => name === 'POST /account/sign-ins')?.body).toEqual({
    provider: 'Lab',
    flow,
    parameters: '?code=c&state=state-1',
  })
  await expect(finishReturn('?code=c&state=state-1')).rejects.toThrow('was not started')
})

test('a provider that is down is named, and the empty tab closes', async () => {
  const tab = { location: { href: '' }, close: vi.fn<() => void>() }
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window)
  const begin = 'POST /account/sign-ins/begin'
  open(
    [google],
    { [begin]: () => refuse(503, 'Lab could not be reached.') },
    { providers: ['Lab'] },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Add Lab' }))
  await screen.findByText('Lab could not be reached.')
  expect(tab.close).toHaveBeenCalled()
})

test.each([
  ['/screens/1', '/screens/1'],
  ['//evil.example', '/prompt'],
  ['https://evil.example', '/prompt'],
  [null, '/prompt'],
])('a sign-in elsewhere from %s ends at %s', async (wanted, end) => {
  const flow = { state: 'state-2', nonce: 'n', verifier: 'v' }
  serveCalls({
    'POST /connection/oidc': () => Response.json({ url: '#elsewhere', flow }),
    'POST /connection/oidc/finish': () => Response.json({ api_key: 'pkdex_s_x', id_token: 't' }),
    'POST /dta/login': () => Response.json({ email: 'ada@lab.example', name: 'Ada' }),
  })
  await goToProvider('Lab', wanted)
  expect(await finishReturn('?code=c&state=state-2')).toBe(end)
})
