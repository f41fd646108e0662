/** All data of a user is saved with one click; errors are shown. */
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { saveFile } from '#web/lib/save-file.ts'
import { refuse, serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { DownloadData } from './download-data.tsx'

vi.mock('#web/lib/save-file.ts', () => ({ saveFile: vi.fn<typeof saveFile>() }))

test('one click saves the zip, and an error is shown', async () => {
  let isRefused = true
  serveCalls({
    'GET /account/export': () =>
      isRefused ? refuse(429, 'Please wait until one has ended.') : new Response('zip'),
  })
  renderScreen(<DownloadData />)
  const button = screen.getByRole('button', { name: 'Download my data' })
  fireEvent.click(button)
  await screen.findByText('Please wait until one has ended.')
  expect(saveFile).not.toHaveBeenCalled()
  isRefused = false
  fireEvent.click(button)
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce())
})
