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

test('/ focuses the page’s search', () => {
  open()
  press('/')
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
})

test('/ and ? typed into a field are not shortcuts', () => {
  open()
  const field = screen.getByRole('textbox', { name: 'Name' })
  field.focus()
  press('/')
  press('?')
  expect(document.activeElement).toBe(field)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('? shows the shortcuts; when disabled only Ctrl+/ shows them', async () => {
  open()
  press('?')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await userEvent.click(screen.getByRole('switch', { name: 'Enable the / and ? shortcuts' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  press('?')
  expect(screen.queryByRole('dialog')).toBeNull()
  press('/', true)
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  const isOn = screen.getByRole<HTMLInputElement>('switch', {
    name: 'Enable the / and ? shortcuts',
  }).checked
  expect(isOn).toBe(false)
})
