/** The header: placeholder links, navigation, and Logout. */
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { readKey, storeKey } from '#web/features/auth/session-key.ts'
import { serveCalls } from '#web/test/calls.ts'
import { renderRoutes } from '#web/test/screen.tsx'
import { Header } from './header.tsx'

test.each(['About us', 'Services', 'Account'])(
  'SPEC 2.12: %s logs to the console and does nothing else',
  async (label) => {
    const calls = serveCalls({})
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const router = open('/results')
    await userEvent.click(screen.getByRole('button', { name: label }))
    expect(log).toHaveBeenCalledExactlyOnceWith(label)
    expect(router.state.location.pathname).toBe('/results')
    expect(calls).toEqual([])
  },
)

test('SPEC 2.12: clicking the logo goes to /prompt', async () => {
  const router = open('/results')
  await userEvent.click(screen.getByRole('link', { name: 'pKdex, go to Upload' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/prompt'))
})

test('the open page is marked as the current one', () => {
  open('/results')
  expect(screen.getByRole('link', { name: 'Predict' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByRole('link', { name: 'Upload' }).getAttribute('aria-current')).toBeNull()
})

test('SPEC 4.3: Logout clears the key and calls the server', async () => {
  storeKey('pk-1')
  const calls = serveCalls({})
  open('/results')
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
  expect(readKey()).toBeNull()
  expect(calls.map(({ name }) => name)).toEqual(['POST /dta/logout', 'POST /file_manager/logout'])
})

test('the menu of a narrow screen opens, and Escape closes it', async () => {
  open('/results')
  const menu = screen.getByRole('button', { name: 'Menu' })
  await userEvent.click(menu)
  expect(menu.getAttribute('aria-expanded')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(menu.getAttribute('aria-expanded')).toBe('false')
})

test('the colour scheme can be switched and is remembered', async () => {
  open('/results')
  await userEvent.click(screen.getByRole('button', { name: 'Switch to dark colours' }))
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  await userEvent.click(screen.getByRole('button', { name: 'Switch to light colours' }))
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('light')
})

function open(path: string) {
  return renderRoutes({ '/prompt': <Header />, '/results': <Header /> }, path)
}
