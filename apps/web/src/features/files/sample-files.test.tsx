/** Sample files in a box of the upload page: fetched, then uploaded, as one piece of work. */
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { storeKey } from '#web/features/auth/session-key.ts'
import { drop, openBox, uploads } from '#web/test/upload-box.tsx'
import { targetUploads } from './upload-kinds.ts'

beforeEach(() => storeKey('pk-1'))

test('SPEC 19.11: a new user can try the sample files, which are uploaded like any other', async () => {
  const { calls } = openBox(targetUploads, {
    'GET /samples/index.json': () => Response.json({ targets: ['1hpv.pdb'], compounds: ['x.txt'] }),
    'GET /samples/1hpv.pdb': () => new Response('ATOM'),
  })
  await userEvent.click(screen.getByRole('button', { name: 'Try with sample files' }))
  await waitFor(() => expect(uploads(calls)).toEqual(['1hpv.pdb']))
})

test('SPEC 4.14: while sample files load the box is uploading: nothing else can be dropped or selected', async () => {
  const { calls, onSuccess, index } = await openFetchingSamples()
  screen.getByText('Uploading...')
  expect(document.querySelector('input[type=file]')).toBeNull()
  await drop('mine.pdb')
  await act(async () => index.resolve(Response.json({ targets: ['1hpv.pdb'], compounds: [] })))
  await screen.findByText('1 target uploaded')
  expect(uploads(calls)).toEqual(['1hpv.pdb'])
  expect(onSuccess).toHaveBeenCalledOnce()
})

test('loading sample files can be cancelled', async () => {
  const { calls, onSuccess, index } = await openFetchingSamples()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await act(async () => index.resolve(Response.json({ targets: ['1hpv.pdb'], compounds: [] })))
  await screen.findByRole('button', { name: 'Try with sample files' })
  expect(uploads(calls)).toEqual([])
  expect(onSuccess).not.toHaveBeenCalled()
})

test('leaving the page while sample files load uploads none of them', async () => {
  const { calls, onSuccess, index, unmount } = await openFetchingSamples()
  unmount()
  index.resolve(Response.json({ targets: ['1hpv.pdb'], compounds: [] }))
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain('GET /samples/1hpv.pdb'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(uploads(calls)).toEqual([])
  expect(onSuccess).not.toHaveBeenCalled()
})

test('sample files that fail to load show an error and can be tried again', async () => {
  const { index } = await openFetchingSamples()
  await act(async () => index.reject(new TypeError('offline')))
  await screen.findByText('The sample files could not be loaded.')
  screen.getByRole('button', { name: 'Try with sample files' })
})

/** A click on “Try with sample files”, whose list arrives when `index` is settled. */
async function openFetchingSamples() {
  const index = Promise.withResolvers<Response>()
  const opened = openBox(targetUploads, {
    'GET /samples/index.json': () => index.promise,
    'GET /samples/1hpv.pdb': () => new Response('ATOM'),
  })
  await userEvent.click(screen.getByRole('button', { name: 'Try with sample files' }))
  return { ...opened, index }
}
