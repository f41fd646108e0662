/** Dialogs, used without a mouse. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ConfirmDialog, Dialog } from './dialog.tsx'
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

test('Enter in a field of a dialog submits it, once while it is busy, and no form around it', async () => {
  const [onConfirm, around] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const ask = (isBusy: boolean) => (
    <ThemeProvider>
      <form onSubmit={around}>
        <ConfirmDialog
          title="Rename"
          text=""
          confirm="Save"
          {...{ onConfirm, isBusy }}
          onClose={fail}
        >
          <input aria-label="Name" />
        </ConfirmDialog>
      </form>
    </ThemeProvider>
  )
  const { rerender } = render(ask(false))
  const name = screen.getByRole('textbox', { name: 'Name' })
  await userEvent.type(name, 'MET{Enter}')
  expect(onConfirm).toHaveBeenCalledOnce()
  rerender(ask(true))
  fireEvent.submit(name)
  expect(onConfirm).toHaveBeenCalledOnce()
  expect(around).not.toHaveBeenCalled()
})

test('Escape closes the dialog on top, not the one below it', async () => {
  const [below, above] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const dialogs = (isAbove: boolean) => (
    <ThemeProvider>
      <Dialog label="Pair" onClose={below}>
        {isAbove && (
          <ConfirmDialog title="Add" text="" confirm="Save" onConfirm={fail} onClose={above} />
        )}
      </Dialog>
    </ThemeProvider>
  )
  const { rerender } = render(dialogs(false))
  rerender(dialogs(true))
  await userEvent.keyboard('{Escape}')
  expect([below.mock.calls.length, above.mock.calls.length]).toEqual([0, 1])
  rerender(dialogs(false))
  await userEvent.keyboard('{Escape}')
  expect(below).toHaveBeenCalledOnce()
})

function fail(): never {
  throw new Error('this is not called')
}

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
