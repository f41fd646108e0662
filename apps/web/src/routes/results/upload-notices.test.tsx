/** What was not taken is told on the results page, where the user lands. */
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { renderScreen } from '#web/test/screen.tsx'
import { UploadNotices } from './results-page.tsx'

const notice = {
  filename: 'kinases.txt',
  rejected: [{ line: 4, text: 'CCX', reason: 'X is no element.' }],
  rejectedCount: 3,
  renamed: [],
  unchanged: [],
}

test('names each line that was not taken, until it is closed', async () => {
  arriveWith({ notices: [notice] })
  expect(screen.getByText('3 lines of kinases.txt were not taken')).toBeTruthy()
  expect(screen.getByText('X is no element.')).toBeTruthy()
  expect(screen.getByText('and 2 more lines')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('region')).toBeNull()
})

test('the lines that were not taken can be copied and downloaded as a table', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  arriveWith({ notices: [notice] })
  const table = 'line\ttext\treason\n4\tCCX\tX is no element.'
  fireEvent.click(screen.getByRole('button', { name: 'Copy lines' }))
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy()
  expect(writeText).toHaveBeenCalledExactlyOnceWith(table)
  const link = screen.getByRole('link', { name: 'Download lines' })
  expect(link.getAttribute('download')).toBe('kinases.txt rejected lines.tsv')
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(table)
})

test.each([null, { notices: [] }, 'something else'])('says nothing on arrival with %o', (state) => {
  arriveWith(state)
  expect(screen.queryByRole('region')).toBeNull()
})

function arriveWith(state: unknown) {
  const router = createMemoryRouter([{ path: '/results', element: <UploadNotices /> }], {
    initialEntries: [{ pathname: '/results', state }],
  })
  renderScreen(<RouterProvider router={router} />)
}
