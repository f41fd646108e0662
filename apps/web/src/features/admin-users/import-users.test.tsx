/** A list of users on the screen: checked line by line, taken in on a word, and not twice by mistake. */
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openAdmin } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const importing = 'POST /admin/users/import'
const csv = 'email,credits\na@lab.example,5\nb@lab.example,3'
const rows = [
  { line: 2, email: 'a@lab.example', outcome: 'create', delta: 5, credits: 5, reason: null },
  { line: 3, email: 'b@lab.example', outcome: 'credit', delta: -3, credits: 7, reason: null },
]
const at = '2026-11-20T12:00:00Z'

test('a chosen file is checked, and taken in on a word', async () => {
  const { calls } = await open(({ apply }) => ({
    rows,
    applied_at: apply ? at : null,
    repeated: false,
  }))
  await userEvent.upload(await screen.findByLabelText('CSV file'), new File([csv], 'users.csv'))
  const title = '1 new user, 1 change of a balance. Nothing has been changed yet.'
  expect(await screen.findByText(title)).toBeTruthy()
  expect(linesShown()).toEqual([
    '2a@lab.exampleWill be created+55',
    '3b@lab.exampleBalance will change−37',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Take the list in' }))
  expect(await screen.findByText('The list was taken in')).toBeTruthy()
  expect(linesShown()[0]).toBe('2a@lab.exampleCreated+55')
  expect(ordersIn(calls)).toEqual([
    { body: { csv, apply: false }, key: null },
    { body: { csv, apply: true }, key: null },
  ])
})

test('a line that cannot be used comes first, with its reason, and nothing can be taken in', async () => {
  const reason = 'This is not an e-mail address.'
  const wrong = { line: 4, email: 'b', outcome: 'refused', delta: 3, credits: null, reason }
  await open(() => ({ rows: [...rows, wrong], applied_at: null, repeated: false }))
  await userEvent.type(await screen.findByLabelText('Users as CSV'), 'email')
  await userEvent.click(screen.getByRole('button', { name: 'Check the list' }))
  expect(await screen.findByText('1 line cannot be used')).toBeTruthy()
  expect(linesShown()[0]).toBe(`4bCannot be used${reason}+3–`)
  expect(screen.queryByRole('button', { name: 'Take the list in' })).toBeNull()
})

test('a list that was taken in before credits nobody again, unless that is asked for', async () => {
  let isBroken = true
  const { calls } = await open(
    (_, key) => ({ rows, applied_at: at, repeated: key === null }),
    (key) => key !== null && isBroken,
  )
  await userEvent.type(await screen.findByLabelText('Users as CSV'), 'email')
  await userEvent.click(screen.getByRole('button', { name: 'Check the list' }))
  expect(await screen.findByText(/^This list was taken in on 2026-11-20/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Credit them once more' }))
  expect(await screen.findByText('Nobody was created or credited')).toBeTruthy()
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Credit them once more' }))
  expect(await screen.findByText('The list was taken in')).toBeTruthy()
  const keys = ordersIn(calls).map(({ key }) => key)
  expect(keys).toEqual([null, keys[1], keys[1]])
  expect(keys[1]).toMatch(/^[\d-]+$/)
})

type Body = { csv: string; apply: boolean }
type Answer = (body: Body, key: string | null) => object

function open(answer: Answer, isRefused: (key: string | null) => boolean = () => false) {
  return openAdmin('/admin/users/import', {
    [importing]: ({ body, headers }) => {
      const key = headers.get('Idempotency-Key')
      return isRefused(key) ? refuse(500, 'It broke.') : Response.json(answer(body as Body, key))
    },
  })
}

function ordersIn(calls: { name: string; body: unknown; headers: Headers }[]) {
  return calls
    .filter(({ name }) => name === importing)
    .map(({ body, headers }) => ({ body, key: headers.get('Idempotency-Key') }))
}

function linesShown() {
  const lines = within(screen.getByRole('table', { name: 'Lines' })).getAllByRole('row')
  return lines.slice(1).map((line) => line.textContent)
}
