/** The comments of a screen: reading, writing, editing, deleting, and what a failure says. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Screen } from '@pkdex/contract'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { type Call, refuse, serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { started } from '#web/test/screens.tsx'
import { CommentList } from './comment-list.tsx'
import type { Place } from './comment-queries.ts'

const theirs = {
  id: '7',
  author: 'Vera',
  is_own: false,
  text: 'Make this first',
  row: 2,
  column: 1,
  compound: 'C2',
  target: 'src',
  chain: 'A',
  created_at: '2026-11-28T10:00:00Z',
  edited_at: null,
}
const own = { ...theirs, id: '8', author: 'Olga', is_own: true, text: 'Mine', row: null }
const onScreen = { ...own, column: null, compound: null, target: null, chain: null }

const firstPage = 'GET /screens/s1/comments?page=1&page_size=50'
type Handlers = Record<string, (call: Call) => Response>

function pageOf(comments: object[], total = comments.length) {
  return () => Response.json({ comments }, { headers: { 'X-Total-Count': String(total) } })
}

function open(handlers: Handlers, props: Partial<Parameters<typeof CommentList>[0]> = {}) {
  const shown = Screen.parse({ ...started, comments: 2, commented_at: theirs.created_at })
  const calls = serveCalls({ 'GET /screens/s1': () => Response.json(shown), ...handlers })
  const renew: { current?: (next: Screen | null) => void } = {}
  function Shown() {
    const [state, setState] = useState<Screen | null>(shown)
    renew.current = setState
    return state && <CommentList screen={state} place={null} {...props} />
  }
  renderScreen(<Shown />)
  const bodies = (name: string) =>
    calls.filter((call) => call.name === name).map(({ body }) => body)
  return { calls, bodies, shown, renew }
}

const items = () => screen.findAllByRole('listitem')

test('comments have author, time and place; only one’s own can be edited and deleted', async () => {
  const onOpenPlace = vi.fn<(place: Place) => void>()
  const deleted = { ...theirs, id: '6', author: null, row: null, compound: null, target: null }
  open({ [firstPage]: pageOf([onScreen, theirs, deleted]) }, { onOpenPlace })
  const [mine, hers, gone] = await items()
  if (!mine || !hers || !gone) throw new Error('three comments expected')
  expect(mine.textContent).toContain('You')
  expect(hers.textContent).toMatch(/^Vera.*C2 on srcMake this first$/)
  expect(gone.textContent).toContain('Deleted user')
  expect(within(mine).getAllByRole('button')).toHaveLength(2)
  expect(within(gone).queryAllByRole('button')).toHaveLength(0)
  await userEvent.click(within(hers).getByRole('button', { name: 'C2 on src' }))
  expect(onOpenPlace).toHaveBeenCalledExactlyOnceWith({ row: 2, column: 1 })
})

test('a comment is sent as typed, and an empty one is not', async () => {
  const post = 'POST /screens/s1/comments'
  const { bodies } = open({ [firstPage]: pageOf([]), [post]: () => Response.json(onScreen) })
  const send = screen.getByRole('button', { name: 'Comment' })
  await userEvent.type(screen.getByLabelText('New comment'), '  ')
  expect(send.hasAttribute('disabled')).toBe(true)
  await userEvent.type(screen.getByLabelText('New comment'), '<b>bold</b>{enter}line')
  await userEvent.click(send)
  expect(bodies(post)).toEqual([{ text: '  <b>bold</b>\nline' }])
  await waitFor(() =>
    expect(screen.getByLabelText<HTMLTextAreaElement>('New comment').value).toBe(''),
  )
})

test('a comment on a pair is for the pair, or for its compound on every target', async () => {
  const path = 'GET /screens/s1/comments?row=2&column=1&page=1&page_size=50'
  const post = 'POST /screens/s1/comments'
  const shown = { ...Screen.parse(started), comments: 1, target_count: 2 }
  const place = { row: 2, column: 1 }
  const { bodies } = open(
    { [path]: pageOf([theirs]), [post]: () => Response.json(own) },
    { place, screen: shown },
  )
  for (const on of ['This pair', 'This compound, on every target']) {
    await userEvent.click(screen.getByRole('button', { name: 'Add comment' }))
    await userEvent.selectOptions(screen.getByLabelText('On'), on)
    await userEvent.type(screen.getByLabelText('New comment'), on)
    await userEvent.click(screen.getByRole('button', { name: 'Comment' }))
    await screen.findByRole('button', { name: 'Add comment' })
  }
  expect(bodies(post)).toEqual([
    { text: 'This pair', row: 2, column: 1 },
    { text: 'This compound, on every target', row: 2 },
  ])
})

test('a comment is edited, and deleted after a question', async () => {
  const path = '/screens/s1/comments/8'
  const { bodies, calls } = open({
    [firstPage]: pageOf([onScreen]),
    [`PATCH ${path}`]: () => Response.json({ ...onScreen, text: 'Better' }),
    [`DELETE ${path}`]: () => Response.json({ message: 'Deleted.' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const field = screen.getByLabelText('Edit comment')
  await userEvent.clear(field)
  await userEvent.type(field, 'Better')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(bodies(`PATCH ${path}`)).toEqual([{ text: 'Better' }])
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(calls.some(({ name }) => name === `DELETE ${path}`)).toBe(false)
  const question = screen.getByRole('dialog', { name: 'Delete comment' })
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(calls.some(({ name }) => name === `DELETE ${path}`)).toBe(true))
})

test('a refused comment says why, and the text stays, also after the panel was closed', async () => {
  const reason = 'A screen has at most 1,000 comments. Delete one of yours first.'
  const handlers = {
    [firstPage]: pageOf([]),
    'POST /screens/s1/comments': () => refuse(409, reason),
  }
  const { renew, shown } = open(handlers)
  await userEvent.type(screen.getByLabelText('New comment'), 'one too many')
  await userEvent.click(screen.getByRole('button', { name: 'Comment' }))
  expect((await screen.findByRole('alert')).textContent).toContain(reason)
  act(() => renew.current?.(null))
  expect(screen.queryByLabelText('New comment')).toBeNull()
  act(() => renew.current?.(shown))
  expect(screen.getByLabelText<HTMLTextAreaElement>('New comment').value).toBe('one too many')
})

test('too long a text cannot be sent, and says by how much', async () => {
  open({ [firstPage]: pageOf([]) })
  const field = screen.getByLabelText('New comment')
  await userEvent.click(field)
  await userEvent.paste('x'.repeat(4001))
  expect(screen.getByText('4,001 of at most 4,000 characters.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Comment' }).hasAttribute('disabled')).toBe(true)
})

test('a new comment appears when the screen says that there is one, and is noted as seen', async () => {
  let comments: object[] = [theirs]
  const onSeen = vi.fn<(comment: string) => void>()
  const { shown, renew } = open({ [firstPage]: () => pageOf(comments)() }, { onSeen })
  expect(await items()).toHaveLength(1)
  comments = [{ ...theirs, id: '9', text: 'And this' }, theirs]
  renew.current?.({ ...shown, comments: 3, commented_at: '2026-11-28T10:05:00Z' })
  await screen.findByText('And this')
  expect(onSeen.mock.calls).toEqual([['7'], ['9']])
})

test('older comments are loaded on request', async () => {
  const older = 'GET /screens/s1/comments?page=2&page_size=50'
  const old = { ...theirs, id: '1', text: 'The oldest' }
  open({ [firstPage]: pageOf([theirs], 51), [older]: pageOf([old], 51) })
  await userEvent.click(await screen.findByRole('button', { name: 'Older comments' }))
  await screen.findByText('The oldest')
  expect(screen.queryByRole('button', { name: 'Older comments' })).toBeNull()
})
