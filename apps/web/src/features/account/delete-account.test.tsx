/** Deleting an account needs its email, and errors are shown. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { DeleteAccount } from './delete-account.tsx'

const email = 'chemist@lab.example'

const contents = {
  files: 3,
  targets: 2,
  compounds: 40,
  predictions: 80,
  predictions_under_way: 0,
  measured_values: 1,
  screens: 0,
}

function ask(answer: () => Response) {
  const calls = serveCalls({
    'DELETE /account': answer,
    'GET /file_manager/deletion': () => Response.json(contents),
  })
  const onDeleted = vi.fn<() => void>()
  renderScreen(<DeleteAccount email={email} onDeleted={onDeleted} />)
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
  const dialog = within(screen.getByRole('dialog'))
  const confirm = (typed: string) => {
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: typed } })
    fireEvent.click(dialog.getByRole('button', { name: 'Delete account' }))
  }
  return { calls, onDeleted, confirm }
}

test('any text but the account’s email deletes nothing', () => {
  const { calls, onDeleted, confirm } = ask(() => Response.json({ message: 'gone' }))
  for (const typed of ['', 'other@lab.example']) {
    confirm(typed)
    screen.getByText('This does not match your account’s email.')
  }
  expect(calls.filter(({ name }) => name.startsWith('DELETE'))).toEqual([])
  expect(onDeleted).not.toHaveBeenCalled()
})

test('with the email the account is deleted, once', async () => {
  const { calls, onDeleted, confirm } = ask(() => Response.json({ message: 'gone' }))
  confirm(email.toUpperCase())
  await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce())
  const deletions = calls.filter(({ name }) => name.startsWith('DELETE'))
  expect(deletions.map(({ body }) => body)).toEqual([{ confirm: email.toUpperCase() }])
})

test('an error is shown in the dialog, and the user stays signed in', async () => {
  const { onDeleted, confirm } = ask(() => refuse(503, 'Please wait a moment.'))
  confirm(email)
  await screen.findByText('Please wait a moment.')
  expect(onDeleted).not.toHaveBeenCalled()
})

test('the confirmation counts everything that is deleted with the account', async () => {
  ask(() => Response.json({ message: 'gone' }))
  const counted = '3 files, 2 targets, 40 compounds, 80 predictions and 1 measured value'
  await screen.findByText(new RegExp(`^${counted}, your API keys and`))
})
