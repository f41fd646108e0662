/** What was not taken is told on the results page, where the user lands. */
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { renderScreen } from '../../test-screen.tsx'
import { ArrivalRemarks } from './arrival-remarks.tsx'

const remark = {
  filename: 'kinases.txt',
  rejected: [{ line: 4, text: 'CCX', reason: 'X is no element.' }],
  rejectedCount: 3,
  renamed: [],
  unchanged: [],
}

test('names each line that was not taken, until it is closed', async () => {
  arriveWith({ remarks: [remark] })
  expect(screen.getByText('3 lines of kinases.txt were not taken')).toBeTruthy()
  expect(screen.getByText('X is no element.')).toBeTruthy()
  expect(screen.getByText('and 2 more lines')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('region')).toBeNull()
})

test.each([null, { remarks: [] }, 'something else'])('says nothing on arrival with %o', (state) => {
  arriveWith(state)
  expect(screen.queryByRole('region')).toBeNull()
})

function arriveWith(state: unknown) {
  const router = createMemoryRouter([{ path: '/results', element: <ArrivalRemarks /> }], {
    initialEntries: [{ pathname: '/results', state }],
  })
  renderScreen(<RouterProvider router={router} />)
}
