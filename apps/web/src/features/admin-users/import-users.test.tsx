/** Importing users on the page: checked line by line, imported after confirmation, and never twice by mistake. */
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openAdmin, rowsOf } from '#web/test/admin.tsx'
import { refuse } from '#web/test/calls.ts'

const importing = 'POST /admin/users/import'
const csv = 'email,credits\na@lab.example,5\nb@lab.example,3'
const rows = [
  { line: 2, email: 'a@lab.example', outcome: 'create', delta: 5, credits: 5, reason: null },
  { line: 3, email: 'b@lab.example', outcome: 'credit', delta: -3, credits: 7, reason: null },
]
const at = '2026-11-20T12:00:00Z'

test('a selected file is checked, and imported after confirmation', async () => {
  const { calls } = await open(({ apply }) => ({
    rows,
    applied_at: apply ? at : null,
    repeated: false,
  }))
  await userEvent.upload(await screen.findByLabelText('CSV file'), new File([csv], 'users.csv'))
  const title = '1 new user, 1 balance change. Nothing has changed yet.'
  expect(await screen.findByText(title)).toBeTruthy()
  expect(linesShown()).toEqual([
    '2a@lab.exampleWill be created+55',
    '3b@lab.exampleBalance will change−37',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Import users' }))
  expect(await screen.findByText('Import complete')).toBeTruthy()
  expect(linesShown()[0]).toBe('2a@lab.exampleCreated+55')
  expect(ordersIn(calls)).toEqual([
    { body: { csv, apply: false }, key: null },
    { body: { csv, apply: true }, key: null },
  ])
})

test('an invalid line comes first, with its reason, and nothing can be imported', async () => {
  const reason = 'Enter a valid email address.'
  const wrong = { line: 4, email: 'b', outcome: 'refused', delta: 3, credits: null, reason }
  await open(() => ({ rows: [...rows, wrong], applied_at: null, repeated: false }))
  await userEvent.type(await screen.findByLabelText('Users as CSV'), 'email')
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
  expect(await screen.findByText('1 line invalid')).toBeTruthy()
  expect(linesShown()[0]).toBe(`4bInvalid${reason}+3–`)
  expect(screen.queryByRole('button', { name: 'Import users' })).toBeNull()
})

test('a list imported before adds no credits again, unless requested', async () => {
  let isBroken = true
  const { calls } = await open(
    (_, key) => ({ rows, applied_at: at, repeated: key === null }),
    (key) => key !== null && isBroken,
  )
  await userEvent.type(await screen.findByLabelText('Users as CSV'), 'email')
  await userEvent.click(screen.getByRole('button', { name: 'Preview' }))
  expect(await screen.findByText(/^This list was imported on 2026-11-20/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Import again' }))
  expect(await screen.findByText('No users were imported')).toBeTruthy()
  isBroken = false
  await userEvent.click(screen.getByRole('button', { name: 'Import again' }))
  expect(await screen.findByText('Import complete')).toBeTruthy()
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
  return rowsOf(screen.getByRole('table', { name: 'Lines' }))
}
