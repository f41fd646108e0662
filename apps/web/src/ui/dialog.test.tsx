/** Dialogs, used without a mouse. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ConfirmDialog } from './dialog.tsx'
import { ThemeProvider } from './theme/theme-provider.tsx'

test('focus enters the dialog and cycles in it, in both directions', async () => {
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
  '%s closes it and returns focus to the opener',
  async (keys) => {
    const { user, onConfirm, opener } = await open()
    await user.keyboard(keys)
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(opener))
    expect(onConfirm).not.toHaveBeenCalled()
  },
)

test('focus that has moved elsewhere meanwhile is not moved back', async () => {
  const { user } = await open()
  const heading = screen.getByRole('heading', { name: 'Users' })
  heading.focus()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(heading)
})

test('it has a name, is modal, and opens once', async () => {
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

test('a click outside neither closes it nor takes focus from it', async () => {
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
