/**
 * Without WebGL, as in this test's browser, the still picture replaces the 3D view, and the structure is not loaded.
 */
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { targetNamed } from '#web/test/files.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { StructureDialog } from './structure-dialog.tsx'

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
})

test('the still picture and a note replace the 3D view if it cannot be drawn', async () => {
  const calls = serveCalls({
    'GET /visualization/protein/abl?theme=light': () =>
      Response.json({
        visualizationUrl: 'data:image/svg+xml;base64,PHN2Zy8+',
        alt: 'Cartoon of abl',
      }),
  })
  renderScreen(<StructureDialog target={targetNamed('abl')}>Use another chain</StructureDialog>)
  expect(calls).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'View in 3D' }))
  await screen.findByRole('img', { name: 'Cartoon of abl' })
  screen.getByText(/WebGL is off in this browser/)
  screen.getByText('Use another chain')
  expect(screen.queryByRole('application')).toBeNull()
  expect(calls.map(({ name }) => name)).toEqual(['GET /visualization/protein/abl?theme=light'])
})
