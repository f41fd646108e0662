/** The dialogs as a person without a mouse meets them. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ConfirmDialog } from './dialog.tsx'
import { ThemeProvider } from './theme/theme-provider.tsx'

test('the focus goes into the dialog and round within it, both ways', async () => {
  const { user } = await open()
  await user.tab()
  expect(document.activeElement?.textContent).toBe('Cancel')
  await user.tab()
  expect(document.activeElement?.textContent).toBe('Delete')
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' }))
  await user.tab({ shift: true })
  expect(document.activeElement?.textContent).toBe('Delete')
})

test.each(['{Escape}', '{Enter}', '{Tab}{Enter}'])(
  '%s closes it and gives the focus back to what opened it',
  async (keys) => {
    const { user, onConfirm, opener } = await open()
    await user.keyboard(keys)
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(opener))
    expect(onConfirm).not.toHaveBeenCalled()
  },
)

test('a focus that has moved on meanwhile is left where it is', async () => {
  const { user } = await open()
  const heading = screen.getByRole('heading', { name: 'Users' })
  heading.focus()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(heading)
})

test('it says what it is, that the page behind must wait, and asks once', async () => {
  const { user, onConfirm } = await open()
  const dialog = screen.getByRole('dialog', { name: 'Delete a user' })
  expect(dialog.getAttribute('aria-modal')).toBe('true')
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(onConfirm).toHaveBeenCalledOnce()
  expect(screen.getByRole('dialog')).toBe(dialog)
})

test('the page behind cannot be reached while it is open', async () => {
  const { user, opener } = await open()
  expect(opener.closest('[inert]')).not.toBeNull()
  expect(screen.getByRole('dialog').closest('[inert]')).toBeNull()
  await user.keyboard('{Escape}')
  expect(opener.closest('[inert]')).toBeNull()
})

test('a click beside it neither closes it nor takes the focus out of it', async () => {
  await open()
  const beside = screen.getByRole('dialog').parentElement ?? document.body
  expect(fireEvent.mouseDown(beside), 'the focus stays where it is').toBe(false)
  fireEvent.click(beside)
  expect(screen.queryByRole('dialog')).not.toBeNull()
  expect(fireEvent.mouseDown(screen.getByText('Are you sure?')), 'text can be marked').toBe(true)
})

async function open() {
  const user = userEvent.setup()
  const onConfirm = vi.fn<() => void>()
  render(
    <ThemeProvider>
      <Question onConfirm={onConfirm} />
    </ThemeProvider>,
  )
  const opener = screen.getByRole('button', { name: 'Ask' })
  await user.click(opener)
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close' })),
  )
  return { user, onConfirm, opener }
}

function Question({ onConfirm }: { onConfirm: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <main>
      <h1 tabIndex={-1}>Users</h1>
      <button type="button" onClick={() => setIsOpen(true)}>
        Ask
      </button>
      {isOpen && (
        <ConfirmDialog
          title="Delete a user"
          text="Are you sure?"
          confirm="Delete"
          isDangerous
          onConfirm={onConfirm}
          onClose={() => setIsOpen(false)}
        />
      )}
    </main>
  )
}
