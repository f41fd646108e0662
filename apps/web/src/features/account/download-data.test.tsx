/** All data of a user is saved with one click; errors are shown. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { catchSaved } from '#web/test/saved.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { DownloadData } from './download-data.tsx'

test('one click saves the zip, and an error is shown', async () => {
  let isRefused = true
  const saved = catchSaved()
  serveCalls({
    'GET /account/export': () =>
      isRefused ? refuse(429, 'Please wait until one has ended.') : new Response('zip'),
  })
  renderScreen(<DownloadData />)
  const button = screen.getByRole('button', { name: 'Download my data' })
  fireEvent.click(button)
  await screen.findByText('Please wait until one has ended.')
  expect(saved).toEqual([])
  isRefused = false
  fireEvent.click(button)
  await waitFor(() => expect(saved).toHaveLength(1))
})
