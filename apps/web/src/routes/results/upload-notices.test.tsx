/** Skipped lines are listed on the results page, where the user arrives after the upload. */
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

test('lists each skipped line until closed', async () => {
  arriveWith({ notices: [notice] })
  screen.getByText('3 lines of kinases.txt skipped')
  screen.getByText('X is no element.')
  screen.getByText('and 2 more')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('region')).toBeNull()
})

test('the skipped lines can be copied and downloaded as a table', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  arriveWith({ notices: [notice] })
  const table = 'line\ttext\treason\n4\tCCX\tX is no element.'
  fireEvent.click(screen.getByRole('button', { name: 'Copy lines' }))
  await screen.findByRole('button', { name: 'Copied' })
  expect(writeText).toHaveBeenCalledExactlyOnceWith(table)
  const link = screen.getByRole('link', { name: 'Download lines' })
  expect(link.getAttribute('download')).toBe('kinases.txt skipped lines.tsv')
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(table)
})

test('compounds that the user had under another name are counted and named', () => {
  const duplicates = [{ name: 'JK-2', same_as: 'JK-1' }]
  arriveWith({ notices: [{ ...notice, duplicates, duplicateCount: 48 }] })
  screen.getByText('48 compounds are listed twice')
  const listed = screen.getByText('JK-2').closest('li')
  expect(listed?.textContent).toBe('JK-2 has the structure of JK-1')
  screen.getByText('and 47 more')
})

test('SPEC 32.10: compounds with alerts are counted, and each is a link', () => {
  const flagged = [{ name: 'a/b 50%', alerts: ['PAINS azo_A(324)', 'Brenk diazo group'] }]
  arriveWith({ notices: [{ ...notice, compounds: 40, flagged, flaggedCount: 3 }] })
  screen.getByText('3 of 40 match a structural alert')
  const link = screen.getByRole('link', { name: 'a/b 50%', hidden: true })
  expect(link.getAttribute('href')).toBe('/results?compound=a%2Fb+50%25')
  screen.getByText('PAINS azo_A(324), Brenk diazo group')
  expect(screen.getAllByText('and 2 more')).toHaveLength(2)
})

test('SPEC 32.10: an upload too large for the user’s own patterns says that they were not checked', () => {
  const flagged = [{ name: 'azo', alerts: ['PAINS azo_A(324)'] }]
  const found = { compounds: 2400, flagged, flaggedCount: 1, ownAlertsChecked: false }
  arriveWith({ notices: [{ ...notice, ...found }] })
  screen.getByText('1 of 2,400 match a PAINS or Brenk alert')
  screen.getByText(/^Your own patterns were not checked/)
})

test.each([null, { notices: [] }, 'something else'])(
  'shows nothing on arrival with %o',
  (state) => {
    arriveWith(state)
    expect(screen.queryByRole('region')).toBeNull()
  },
)

function arriveWith(state: unknown) {
  const router = createMemoryRouter([{ path: '/results', element: <UploadNotices /> }], {
    initialEntries: [{ pathname: '/results', state }],
  })
  renderScreen(<RouterProvider router={router} />)
}
