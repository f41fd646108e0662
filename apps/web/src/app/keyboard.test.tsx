import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderScreen } from '#web/test/screen.tsx'
import { Keyboard } from './keyboard.tsx'

const press = (key: string, ctrlKey = false) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ctrlKey })

function open() {
  renderScreen(
    <main>
      <input type="search" aria-label="Search" />
      <input aria-label="Name" />
      <Keyboard />
    </main>,
  )
}

test('/ goes to the search of the page', () => {
  open()
  press('/')
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
})

test('who types a / or a ? into a field means just that', () => {
  open()
  const field = screen.getByRole('textbox', { name: 'Name' })
  field.focus()
  press('/')
  press('?')
  expect(document.activeElement).toBe(field)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('? shows the keys; switched off they do nothing, and Ctrl with / brings the list back', async () => {
  open()
  press('?')
  await screen.findByRole('dialog', { name: 'Keys' })
  await userEvent.click(screen.getByRole('switch', { name: 'Use / and ? as keys' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  press('?')
  expect(screen.queryByRole('dialog')).toBeNull()
  press('/', true)
  expect(await screen.findByRole('dialog', { name: 'Keys' })).toBeDefined()
  const isOn = screen.getByRole<HTMLInputElement>('switch', { name: 'Use / and ? as keys' }).checked
  expect(isOn).toBe(false)
})
