/** Changing the credits of several selected users: one input, a preview of its effect, and one request. */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { listOf, openAdmin, userOf, usersRequest } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const users = ['a', 'b', 'c'].map((name) =>
  userOf({ _id: name, email: `${name}@lab.example`, credits: 5 }),
)
const changing = 'POST /admin/users/credits'

test('SPEC 26.13: the dialog says what will happen before it is confirmed', async () => {
  const { dialog } = await openDialog({ [changing]: () => refuse(500, 'It broke.') })
  const credits = dialog.getByRole('textbox', { name: 'Credits' })
  const preview = dialog.getByRole('status')
  dialog.getByText('50 sets the balance; +10 or -10 changes it.')
  expect(preview.textContent).toBe('')
  for (const [typed, sentence] of [
    ['50', 'Set 3 users to 50 credits.'],
    ['1', 'Set 3 users to 1 credit.'],
    ['+10', 'Add 10 credits to each of 3 users.'],
    ['+1', 'Add 1 credit to each of 3 users.'],
    ['−1000.5', 'Remove 1,000.5 credits from each of 3 users.'],
    ['1e3', ''],
  ] as const) {
    await userEvent.clear(credits)
    await userEvent.type(credits, typed)
    expect(preview.textContent).toBe(sentence)
  }
})

test('SPEC 26.13: a number without a sign sets the balance of all selected users', async () => {
  const { dialog, orders } = await openDialog({ [changing]: () => balances(50) })
  await userEvent.type(dialog.getByLabelText('Credits'), '50')
  await userEvent.click(dialog.getByRole('button', { name: 'Change credits' }))
  await screen.findByText('3 users now have 50 credits.')
  expect(orders().map(({ body }) => body)).toEqual([
    { user_ids: ['a', 'b', 'c'], credits: 50, note: '' },
  ])
})

test('one selected user is not called “each”', async () => {
  const answer = Response.json({ users: [{ _id: 'a', credits: 6 }] })
  const { dialog, orders } = await openDialog({ [changing]: () => answer }, 1)
  await userEvent.type(dialog.getByLabelText('Credits'), '+1')
  expect(dialog.getByRole('status').textContent).toBe('Add 1 credit to 1 user.')
  await userEvent.click(dialog.getByRole('button', { name: 'Change credits' }))
  await screen.findByText('1 credit added to 1 user.')
  expect(orders()[0]?.body).toEqual({ user_ids: ['a'], delta: 1, note: '' })
})

test('users selected on two pages have credits removed with a note in one request', async () => {
  const { calls } = await openAdmin('/admin/users', {
    [usersRequest()]: () => listOf(users.slice(0, 2), 12),
    [usersRequest({ page: 2 })]: () => listOf(users.slice(2), 12),
    [changing]: () => balances(2.5),
  })
  await userEvent.click(await screen.findByLabelText('Select all users on this page'))
  await userEvent.click(screen.getByRole('link', { name: 'Page 2' }))
  await userEvent.click(await screen.findByLabelText('Select c@lab.example'))
  screen.getByText('3 users selected')
  await userEvent.click(screen.getByRole('button', { name: 'Change credits' }))
  const dialog = within(screen.getByRole('dialog'))
  const confirm = dialog.getByRole('button', { name: 'Change credits' })
  await userEvent.type(dialog.getByLabelText('Credits'), '1e3')
  await userEvent.click(confirm)
  dialog.getByText(/^Enter a number such as 50/)
  await userEvent.clear(dialog.getByLabelText('Credits'))
  await userEvent.type(dialog.getByLabelText('Credits'), '−2.5')
  await userEvent.type(dialog.getByLabelText('Note'), 'Spring course')
  await userEvent.click(confirm)
  await screen.findByText('2.5 credits removed from each of 3 users.')
  const [order, ...more] = calls.filter(({ name }) => name === changing)
  expect(more).toEqual([])
  expect(order?.body).toEqual({ user_ids: ['a', 'b', 'c'], delta: -2.5, note: 'Spring course' })
  expect(order?.headers.get('Idempotency-Key')).toMatch(/^[\d-]+$/)
  expect(screen.queryByText('3 users selected')).toBeNull()
})

test('a refused request is repeated with the same key; another amount gets a new key', async () => {
  const { dialog, orders } = await openDialog({ [changing]: () => refuse(500, 'It broke.') })
  const send = async () => {
    const before = orders().length
    await userEvent.click(dialog.getByRole('button', { name: 'Change credits' }))
    await waitFor(() => expect(orders().length).toBeGreaterThan(before))
    await dialog.findByRole('alert')
    return orders().at(-1)?.headers.get('Idempotency-Key')
  }
  await userEvent.type(dialog.getByLabelText('Credits'), '1')
  const first = await send()
  expect(await send()).toBe(first)
  await userEvent.type(dialog.getByLabelText('Credits'), '0')
  expect(await send()).not.toBe(first)
})

/** The dialog for the first `count` users. */
async function openDialog(handlers: Parameters<typeof openAdmin>[1], count = users.length) {
  const { calls } = await openAdmin('/admin/users', {
    [usersRequest()]: () => listOf(users),
    ...handlers,
  })
  for (const { email } of users.slice(0, count)) {
    await userEvent.click(await screen.findByLabelText(`Select ${email}`))
  }
  await userEvent.click(screen.getByRole('button', { name: 'Change credits' }))
  const orders = () => calls.filter(({ name }) => name === changing)
  return { dialog: within(screen.getByRole('dialog')), orders }
}

function balances(credits: number) {
  return Response.json({ users: users.map(({ _id }) => ({ _id, credits })) })
}
