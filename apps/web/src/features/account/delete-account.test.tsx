/** An account goes only after its e-mail was typed, and a refusal is said. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { DeleteAccount } from './delete-account.tsx'

const email = 'chemist@lab.example'

function ask(answer: () => Response) {
  const calls = serveCalls({ 'DELETE /account': answer })
  const onDeleted = vi.fn<() => void>()
  renderScreen(<DeleteAccount email={email} onDeleted={onDeleted} />)
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
  const dialog = within(screen.getByRole('dialog'))
  const confirm = (typed: string) => {
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: typed } })
    fireEvent.click(dialog.getByRole('button', { name: 'Delete for good' }))
  }
  return { calls, onDeleted, confirm }
}

test('anything but the e-mail of the account deletes nothing', () => {
  const { calls, onDeleted, confirm } = ask(() => Response.json({ message: 'gone' }))
  for (const typed of ['', 'other@lab.example']) {
    confirm(typed)
    expect(screen.getByText('This is not the e-mail of your account.')).toBeDefined()
  }
  expect(calls).toEqual([])
  expect(onDeleted).not.toHaveBeenCalled()
})

test('with the e-mail the account is deleted, once', async () => {
  const { calls, onDeleted, confirm } = ask(() => Response.json({ message: 'gone' }))
  confirm(email.toUpperCase())
  await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce())
  expect(calls.map(({ body }) => body)).toEqual([{ confirm: email.toUpperCase() }])
})

test('a refusal stays in the dialog, and nobody is signed out', async () => {
  const { onDeleted, confirm } = ask(() => refuse(503, 'Please wait a moment.'))
  confirm(email)
  expect(await screen.findByText('Please wait a moment.')).toBeDefined()
  expect(onDeleted).not.toHaveBeenCalled()
})
