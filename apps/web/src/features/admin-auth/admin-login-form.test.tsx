/** Administrator login: two fields, one button, and its errors. */
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { AdminLoginForm } from './admin-login-form.tsx'

const name = 'POST /admin/auth/token'

test('SPEC 5.6: both fields are required, and the email must be valid', async () => {
  const calls = serveCalls({})
  renderScreen(<AdminLoginForm notice={null} />)
  const email = screen.getByLabelText('Email')
  expect(email.getAttribute('type')).toBe('email')
  await userEvent.click(screen.getByRole('button', { name: 'Login' }))
  screen.getByText('Enter your email address.')
  screen.getByText('Enter your password.')
  await waitFor(() => expect(document.activeElement).toBe(email))

  await userEvent.type(email, 'no-address')
  await userEvent.type(screen.getByLabelText('Password'), 'x{Enter}')
  screen.getByText('Enter your email address.')
  expect(screen.queryByText('Enter your password.')).toBeNull()
  expect(calls).toEqual([])
})

test('SPEC 2.14: while the login runs the button reads Logging in... and does not send again', async () => {
  let answer: (response: Response) => void = () => undefined
  const calls = serveCalls({ [name]: () => new Promise((resolve) => (answer = resolve)) })
  await tryLogin()
  const button = await screen.findByRole('button', { name: 'Logging in...' })
  await userEvent.click(button)
  expect(calls).toHaveLength(1)
  answer(refuse(401))
  expect(await screen.findByRole('button', { name: 'Login' })).toBe(button)
})

test('the form names the command that resets a forgotten password', async () => {
  renderScreen(<AdminLoginForm notice={null} />)
  await userEvent.click(screen.getByText('Forgotten your password?'))
  screen.getByText(/^npm run admin -- reset-password /)
  screen.getByText(/^Ask whoever runs the server to enter this/)
})

test('SPEC 8.14: a refused login asks to check the credentials', async () => {
  serveCalls({ [name]: () => refuse(401, 'whatever') })
  await tryLogin()
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Login failed. Please check your credentials.',
  )
})

test.each([
  [() => refuse(429, 'Too many tries.'), 'API error Too many tries.'],
  [() => refuse(500, 'It broke.'), 'API error It broke.'],
  [() => Promise.reject(new TypeError('Failed to fetch')), 'The server cannot be reached.'],
])('a login that fails for another reason shows the reason (%#)', async (answer, text) => {
  serveCalls({ [name]: answer })
  await tryLogin()
  expect((await screen.findByRole('alert')).textContent).toBe(text)
})

async function tryLogin() {
  renderScreen(<AdminLoginForm notice={null} />)
  await userEvent.type(screen.getByLabelText('Email'), 'admin@lab.example')
  await userEvent.type(screen.getByLabelText('Password'), 'a long password')
  await userEvent.click(screen.getByRole('button', { name: 'Login' }))
}
