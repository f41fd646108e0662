/** Sections of a user's page: keys, shown only once; files; the ledger. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { listOf, namesOf, openUser, rowsOf } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const keys = [
  { id: 'k1', prefix: 'pkd_7Qm2', created_at: '2026-11-20T12:00:00Z', last_used_at: null },
  {
    id: 'k2',
    prefix: 'pkd_Vx81',
    created_at: '2026-06-02T12:00:00Z',
    last_used_at: '2026-11-19T12:00:00Z',
  },
]
const files = [
  {
    id: 'f1',
    filename: 'ABL1.pdb',
    fileType: 'protein_pdb',
    uploadDate: '2026-11-18T12:00:00Z',
    size: 1536,
  },
  {
    id: 'f2',
    filename: 'kinases.txt',
    fileType: 'drug_smiles',
    uploadDate: '2026-11-17T12:00:00Z',
    size: 100,
  },
]
const entry = {
  id: 'l1',
  delta: -1,
  balance_after: 97,
  reason: 'prediction',
  actor: 'user',
  note: '',
  screen_id: null,
  created_at: '2026-11-20T12:00:00Z',
}
const making = 'POST /admin/users/u1/api-key'
const secret = 'pkd_7Qm2xV9sTb4LrZk8Nf3yHc6WdJ1uEa'

test('leaving before copying the new key asks for confirmation; after copying it does not', async () => {
  const { router } = await openUser({
    [making]: () => Response.json({ key: secret, prefix: 'pkd_7Qm2' }),
  })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Generate API key' }))
  await screen.findByText(secret)
  const closing = new Event('beforeunload', { cancelable: true })
  dispatchEvent(closing)
  expect(closing.defaultPrevented).toBe(true)

  await user.click(screen.getByRole('link', { name: 'Cancel' }))
  await screen.findByText('You have not copied the new key')
  await user.click(screen.getByRole('button', { name: 'Stay' }))
  expect(router.state.location.pathname).toBe('/admin/users/u1')
  screen.getByText(secret)

  await user.click(screen.getByRole('button', { name: 'Copy' }))
  await user.click(screen.getByRole('link', { name: 'Cancel' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/users'))
})

test('leaving without the new key can be confirmed', async () => {
  const { router } = await openUser({
    [making]: () => Response.json({ key: secret, prefix: 'pkd_7Qm2' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Generate API key' }))
  await screen.findByText(secret)
  await userEvent.click(screen.getByRole('link', { name: 'Dashboard' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Leave without copying' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin'))
})

test('another key does not replace an uncopied one without confirmation', async () => {
  let made = 0
  const { calls } = await openUser({
    [making]: () => Response.json({ key: `${secret}${(made += 1)}`, prefix: 'pkd_7Qm2' }),
  })
  const user = userEvent.setup()
  const generate = await screen.findByRole('button', { name: 'Generate API key' })
  await user.click(generate)
  await screen.findByText(`${secret}1`)
  await user.click(generate)
  await user.click(screen.getByRole('button', { name: 'Go back' }))
  screen.getByText(`${secret}1`)
  expect(namesOf(calls).filter((name) => name === making)).toHaveLength(1)

  await user.click(generate)
  await user.click(screen.getByRole('button', { name: 'Continue without copying' }))
  await screen.findByText(`${secret}2`)
  await user.click(screen.getByRole('button', { name: 'Copy' }))
  await user.click(generate)
  await screen.findByText(`${secret}3`)
})

test('if the browser does not allow copying, the key can be selected', async () => {
  await openUser({ [making]: () => Response.json({ key: secret, prefix: 'pkd_7Qm2' }) })
  const user = userEvent.setup()
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
  await user.click(await screen.findByRole('button', { name: 'Generate API key' }))
  await user.click(await screen.findByRole('button', { name: 'Copy' }))
  await screen.findByText(/Select it and copy it/)
  fireEvent.copy(screen.getByText(secret))
  expect(screen.queryByText(/Select it and copy it/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText(secret)).toBeNull()
})

test('SPEC 8.19: a key that cannot be created shows an error', async () => {
  await openUser({ [making]: () => refuse(500, 'It broke.') })
  await userEvent.click(await screen.findByRole('button', { name: 'Generate API key' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to create API keyAPI error It broke.',
  )
})

test('keys are listed by prefix with their last use, and revoked after confirmation', async () => {
  let rows = keys
  await openUser({
    'GET /admin/users/u1/api-keys': () => Response.json({ keys: rows }),
    'DELETE /admin/users/u1/api-keys/k2': () => {
      rows = keys.slice(0, 1)
      return Response.json({ message: 'ok' })
    },
  })
  const table = await screen.findByRole('table', { name: 'API keys' })
  expect(rowsOf(table)).toEqual([
    'pkd_7Qm22026-11-20NeverRevoke',
    'pkd_Vx812026-06-022026-11-19Revoke',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Revoke pkd_Vx81' }))
  await userEvent.click(screen.getByRole('button', { name: 'Revoke' }))
  const told = await screen.findByText('pkd_Vx81 was revoked.')
  await waitFor(() => expect(screen.queryByText('pkd_Vx81')).toBeNull())
  expect(told.closest('output')).toBe(document.activeElement)
})

test('SPEC 2.18, 3.8, 7.18: the files of a user with type, size and day', async () => {
  await openUser({
    'GET /admin/users/u1/files?page=1&page_size=10': () => Response.json({ files }),
  })
  const table = await screen.findByRole('table', { name: 'Files' })
  expect(rowsOf(table)).toEqual([
    'ABL1.pdbTarget1.50 KB2026-11-18',
    'kinases.txtCompounds100.00 Bytes2026-11-17',
  ])
})

test('SPEC 2.18: all files of a user can be paged, independently of the ledger’s pages', async () => {
  const page = (number: number) => `GET /admin/users/u1/files?page=${number}&page_size=10`
  const { router } = await openUser({
    [page(1)]: () => listOf({ files: files.slice(0, 1) }, 11),
    [page(2)]: () => listOf({ files: files.slice(1) }, 11),
  })
  await userEvent.click(await screen.findByRole('link', { name: 'Next page' }))
  await screen.findByText('kinases.txt')
  expect(router.state.location.search).toBe('?files=2')
})

test('the ledger lists every change with its balance, page by page', async () => {
  const second = {
    ...entry,
    id: 'l2',
    delta: 100,
    reason: 'administrator',
    actor: 'admin@lab.example',
    note: 'Spring course',
  }
  const { calls } = await openUser({
    [ledger(1)]: () => listOf({ entries: [entry] }, 11),
    [ledger(2)]: () => listOf({ entries: [second] }, 11),
  })
  const table = await screen.findByRole('table', { name: 'Credits ledger' })
  expect(rowsOf(table)[0]).toMatch(/prediction−197$/)
  await userEvent.click(screen.getByRole('link', { name: 'Next page' }))
  await waitFor(() =>
    expect(rowsOf(table)[0]).toMatch(/administratoradmin@lab\.exampleSpring course\+10097$/),
  )
  expect(namesOf(calls)).toContain(ledger(2))
})

test('a page beyond the ledger’s last shows the last one', async () => {
  const { router } = await openUser(
    {
      [ledger(99)]: () => listOf({ entries: [] }, 11),
      [ledger(2)]: () => listOf({ entries: [entry] }, 11),
    },
    '?ledger=99',
  )
  await waitFor(() => expect(router.state.location.search).toBe('?ledger=2'))
  const table = await screen.findByRole('table', { name: 'Credits ledger' })
  await waitFor(() => expect(rowsOf(table)).toHaveLength(1))
  screen.getByText('11–11 of 11')
})

test('a user without data shows empty sections', async () => {
  await openUser({})
  await screen.findByText('No API keys yet.')
  await screen.findByText('No files yet.')
  await screen.findByText('No changes yet.')
})

function ledger(page: number): string {
  return `GET /admin/users/u1/ledger?page=${page}&page_size=10`
}

test('the confirmation of a deletion counts what the user has', async () => {
  const counts = { files: 2, targets: 1, compounds: 40, predictions: 3, predictions_under_way: 0 }
  await openUser({
    'GET /admin/users/u1/deletion': () =>
      Response.json({ ...counts, measured_values: 20, screens: 0 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  const sentence =
    '2 files, 1 target, 40 compounds, 3 predictions and 20 measured values will be deleted.'
  await screen.findByText(sentence)
})
