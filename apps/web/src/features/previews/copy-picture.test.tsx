/** The picture of a compound is copied in its light colours. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { renderScreen } from '#web/test/screen.tsx'
import { CopyPicture } from './copy-picture.tsx'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>µ</title></svg>'
const encoded = btoa(String.fromCharCode(...new TextEncoder().encode(svg)))

function open(address: string) {
  serveCalls({
    'GET /visualization/molecule/drug?theme=light': () =>
      Response.json({ visualizationUrl: address }),
  })
  renderScreen(<CopyPicture kind="molecule" name="drug" />)
}

test('a drawing is copied as SVG text where the browser copies no SVG pictures', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  open(`data:image/svg+xml;base64,${encoded}`)
  const button = await screen.findByRole('button', { name: 'Copy SVG' })
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await userEvent.click(button)
  await screen.findByText('SVG copied')
  expect(writeText).toHaveBeenCalledExactlyOnceWith(svg)
  vi.unstubAllGlobals()
})

test('a picture that is no SVG can be copied as PNG only, and a refusal is said', async () => {
  open('data:image/webp;base64,AAAA')
  await userEvent.click(await screen.findByRole('button', { name: 'Copy PNG' }))
  await screen.findByText('The browser blocked copying.')
  expect(screen.queryByRole('button', { name: 'Copy SVG' })).toBeNull()
})
