/** Keyboard navigation in the rows of a long screen. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { firstPage, openScreen, pageOf, row } from '#web/test/screens.tsx'

test('End moves to the last row, also if that row must be fetched first', async () => {
  const hundred = (first: number) =>
    pageOf(
      Array.from({ length: 100 }, (_, at) => row(first + at, 7)),
      300,
    )
  let answerLast = () => undefined as void
  const last = new Promise<void>((resolve) => (answerLast = resolve))
  openScreen({
    [firstPage]: hundred(1),
    [firstPage.replace('page=1', 'page=3')]: () => last.then(hundred(201)),
  })
  const first = await screen.findByRole('button', { name: 'Open C1 on src' })
  first.focus()
  await userEvent.keyboard('{End}')
  fireEvent.scroll(screen.getByRole('region', { name: 'Results' }))
  await waitFor(() => expect(first.isConnected).toBe(false))
  answerLast()
  const end = await screen.findByRole('button', { name: 'Open C300 on src' })
  await waitFor(() => expect(document.activeElement).toBe(end))
})

test('Ctrl+C copies the focused cell as it reads', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  openScreen({})
  const name = await screen.findByRole('button', { name: 'Open C1 on src' })
  name.focus()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await act(async () => void fireEvent.keyDown(name, { key: 'c', ctrlKey: true }))
  vi.unstubAllGlobals()
  expect(writeText.mock.calls).toEqual([['C1']])
})
