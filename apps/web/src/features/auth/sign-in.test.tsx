/** The login button against a sign-in service that works, is late, is broken, or is refused. */
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import type { GoogleAccountsId, PromptMoment } from './google-identity.ts'
import { otherProviders } from './google-identity.ts'
import { SignIn } from './sign-in.tsx'

const config = {
  google_client_id: 'client',
  script_url: '/identity/script.js',
  is_stand_in: false,
  is_stand_in_exposed: false,
  nonce: 'nonce-1',
}
type Settings = Parameters<GoogleAccountsId['initialize']>[0]

afterEach(() => {
  delete window.google
  otherProviders.set([])
  for (const script of document.head.querySelectorAll('script')) script.remove()
})

test('SPEC 2.1, SPEC 2.2: the button reads Loading... until the service is ready, then Sign in with Google', async () => {
  open()
  expect(theButton().textContent).toBe('Loading...')
  await loadService()
  expect(theButton().textContent).toBe('Sign in with Google')
})

test('SPEC 2.2, SPEC 7.3: the button reads Signing in... while the ID token is verified', async () => {
  const calls = open({ 'POST /connection/verify-google': () => new Promise(() => undefined) })
  const service = await loadService()
  await userEvent.click(theButton())
  await chooseAccount(service)
  expect(theButton().textContent).toBe('Signing in...')
  expect(calls.at(-1)).toMatchObject({ body: { id_token: 'id-token' } })
})

test('SPEC 25.5: a visitor with an invitation link sees a note, and its code is sent with the token', async () => {
  history.replaceState(null, '', '/#invitation=code-1')
  const calls = open({ 'POST /connection/verify-google': () => refuse(403) })
  const service = await loadService()
  screen.getByText(/^You are invited\. Sign in with any account/)
  await chooseAccount(service)
  const call = calls.find(({ name }) => name === 'POST /connection/verify-google')
  expect(call?.body).toEqual({ id_token: 'id-token', invitation: 'code-1' })
  history.replaceState(null, '', '/')
})

test('buttons of other providers stand below Google’s, and take its place if the server has no Google', async () => {
  const providers = ['Lab', 'Institute']
  serveCalls({
    'GET /connection/config': () => Response.json({ ...config, google_client_id: '', providers }),
    'POST /connection/oidc': () => refuse(503, 'Lab could not be reached.'),
  })
  renderScreen(<SignIn notice={null} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in with Lab' }))
  await screen.findByText('Lab could not be reached.')
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent)
  expect(names).toEqual(['Sign in with Lab', 'Sign in with Institute'])
  expect(document.head.querySelector('script')).toBeNull()
})

test('SPEC 8.2: a click before the service is ready shows a message until it is', async () => {
  open()
  await userEvent.click(theButton())
  expect(theAlert()).toBe('Google authentication is not ready. Please try again in a moment.')
  await loadService()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('SPEC 8.3: a service without a chooser shows Failed to access Google authentication service.', async () => {
  open()
  const service = await loadService()
  service.prompt = undefined
  await userEvent.click(theButton())
  expect(theAlert()).toBe('Failed to access Google authentication service.')
})

test('SPEC 8.3: a script without the service shows the same message', async () => {
  open()
  await settle(await theScript(), 'load')
  expect(theAlert()).toContain('Failed to access Google authentication service.')
})

test('SPEC 8.4: a service that does not start shows Failed to initialize Google authentication.', async () => {
  open()
  await loadService({
    initialize: () => {
      throw new Error('bad client id')
    },
  })
  expect(theAlert()).toContain('Failed to initialize Google authentication.')
})

test('SPEC 8.5: a script that does not load shows Failed to load Google authentication services.', async () => {
  open()
  await settle(await theScript(), 'error')
  expect(theAlert()).toContain('Failed to load Google authentication services.')

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(screen.queryByRole('alert')).toBeNull()
  await loadService()
  expect(theButton().textContent).toBe('Sign in with Google')
})

test('SPEC 8.5: a server that does not name the script shows the same message', async () => {
  open({ 'GET /connection/config': () => refuse(500) })
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Failed to load Google authentication services.',
  )
})

test.each([
  [refuse(403, 'This account is deactivated.'), 'This account is deactivated.'],
  [refuse(403), 'Access forbidden. Invalid API key.'],
  [refuse(500), 'Login failed. Please try again.'],
  [null, 'Login failed. Please try again.'],
])('SPEC 8.1: %o on login shows %s', async (answer, text) => {
  const calls = open({
    'POST /connection/verify-google': () => answer ?? Promise.reject(new TypeError('offline')),
  })
  const service = await loadService()
  await chooseAccount(service)
  expect((await screen.findByRole('alert')).textContent).toBe(text)
  // The nonce is spent: the next try has its own.
  await vi.waitFor(() => expect(calls.filter(isConfigCall)).toHaveLength(2), 50_000)
})

test('SPEC 4.2: the reason for a lost session is shown until a newer message replaces it', async () => {
  open(
    { 'POST /connection/verify-google': () => refuse(500) },
    'Session expired. Please login again.',
  )
  expect(theAlert()).toBe('Session expired. Please login again.')
  const service = await loadService()
  await chooseAccount(service)
  await waitFor(() => expect(theAlert()).toBe('Login failed. Please try again.'))
})

test('if Google does not show its chooser, Google’s button replaces ours', async () => {
  open()
  const service = await loadService({ moment: { isSkippedMoment: () => true } })
  await userEvent.click(theButton())
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Sign in with Google (Google’s)',
  ])
  expect(service.look).toMatchObject({ text: 'signin_with' })
})

test('if Google does not respond, its button appears after a moment', async () => {
  open()
  await loadService()
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await userEvent.click(theButton())
  expect(theButton().textContent).toBe('Sign in with Google')
  await act(() => vi.advanceTimersByTimeAsync(3000))
  expect(theButton().textContent).toBe('Sign in with Google (Google’s)')
})

test('the development sign-in is labelled, and keeps our button after its chooser is closed', async () => {
  open({ 'GET /connection/config': () => Response.json({ ...config, is_stand_in: true }) })
  await loadService({ moment: { isSkippedMoment: () => true } })
  screen.getByText('Development sign-in.')
  await userEvent.click(theButton())
  expect(theButton().textContent).toBe('Sign in with Google')
})

test('SPEC 12.16: the page says what a new account gets and what a prediction costs', async () => {
  const costs = { initial_credits: 1000, credits_per_prediction: 1 }
  open({ 'GET /connection/config': () => Response.json({ ...config, ...costs }) })
  await loadService()
  const sentences =
    'Your first sign-in creates an account with 1,000 credits. A prediction costs 1 credit.'
  screen.getByText(sentences)
})

test('SPEC 12.16: the page says that sign-up is by invitation only', async () => {
  const costs = { initial_credits: 1000, credits_per_prediction: 1, is_by_invitation: true }
  const invited = { ...config, ...costs, is_stand_in: true }
  open({ 'GET /connection/config': () => Response.json(invited) })
  await loadService()
  const terms = screen.getByText(/Sign-up is by invitation only/)
  expect(terms.textContent).toBe(
    'Development sign-in. No Google account needed. Sign-up is by invitation only. A prediction costs 1 credit.',
  )
})

test('a development sign-in reachable from outside shows a warning', async () => {
  const exposed = { ...config, is_stand_in: true, is_stand_in_exposed: true }
  open({ 'GET /connection/config': () => Response.json(exposed) })
  await loadService()
  screen.getByText('Anyone who can reach this address can sign in as any user')
})

function open(handlers: Parameters<typeof serveCalls>[0] = {}, notice: string | null = null) {
  const calls = serveCalls({ 'GET /connection/config': () => Response.json(config), ...handlers })
  renderScreen(<SignIn notice={notice} />)
  return calls
}

type Service = {
  settings?: Settings
  look?: Record<string, string | number>
  prompt: GoogleAccountsId['prompt'] | undefined
}

/** Lets the script load with a service that records its arguments. */
async function loadService(
  flaws: { initialize?: () => void; moment?: PromptMoment } = {},
): Promise<Service> {
  const service: Service = { prompt: (onMoment) => flaws.moment && onMoment?.(flaws.moment) }
  const script = await theScript()
  window.google = {
    accounts: {
      id: {
        initialize: (settings) => {
          flaws.initialize?.()
          service.settings = settings
        },
        prompt: (onMoment) => {
          if (service.prompt === undefined) throw new TypeError('prompt is not a function')
          service.prompt(onMoment)
        },
        renderButton: (parent, look) => {
          service.look = look
          parent.innerHTML = '<button>Sign in with Google (Google’s)</button>'
        },
      },
    },
  }
  await settle(script, 'load')
  return service
}

function chooseAccount({ settings }: Service) {
  return untilDrawn(() => settings?.callback({ credential: 'id-token' }))
}

/** What follows from a script's arrival is drawn. */
function settle(script: HTMLScriptElement, event: 'load' | 'error') {
  return untilDrawn(() => script.dispatchEvent(new Event(event)))
}

/** Lets something happen, and waits until the screen shows something else than before. */
async function untilDrawn(happen: () => unknown): Promise<void> {
  const before = document.body.innerHTML
  act(() => void happen())
  await waitFor(() => expect(document.body.innerHTML).not.toBe(before))
}

function theScript(): Promise<HTMLScriptElement> {
  return vi.waitFor(() => {
    const script = document.head.querySelector<HTMLScriptElement>('script[src$="script.js"]')
    if (script === null) throw new Error('no script yet')
    return script
  }, 50_000)
}

function theButton(): HTMLElement {
  return screen.getByRole('button')
}

function theAlert(): string | null {
  return screen.getByRole('alert').textContent
}

function isConfigCall({ name }: { name: string }): boolean {
  return name === 'GET /connection/config'
}
