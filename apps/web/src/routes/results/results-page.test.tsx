/** Everything around the prediction: lists, pictures, credits, banners. */
import { focusManager } from '@tanstack/react-query'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readKey, storeKey } from '#web/features/auth/session-key.ts'
import { readSession } from '#web/features/auth/session.ts'
import { refuse } from '#web/test/calls.ts'
import { choose, choosePair, openResults, pass, press } from '#web/test/results.tsx'

const TARGETS = 'GET /dta/get_protein_names'
const COMPOUNDS = 'GET /dta/get_compound_names'
const CREDITS = 'GET /dta/credits'
const REQUEST = 'POST /dta/predict'
const ABL = 'GET /visualization/protein/abl?theme=light'
const IMATINIB = 'GET /visualization/molecule/imatinib?theme=light'

test('SPEC 2.8, 7.8: the header shows the credits; the columns are Target, prediction, Compound', async () => {
  await openResults()
  expect(screen.getByText('98').closest('header')).not.toBeNull()
  screen.getByRole('region', { name: 'Target' })
  screen.getByRole('region', { name: 'Prediction' })
  screen.getByRole('region', { name: 'Compound' })
})

test('credits used in another tab are reloaded when this one gets focus', async () => {
  let credits = 98
  await openResults({ [CREDITS]: () => Response.json({ credits }) })
  credits = 42
  act(() => focusManager.setFocused(false))
  act(() => focusManager.setFocused(true))
  await pass(20)
  expect(screen.getByText('42').closest('output')?.textContent).toBe('Credits 42')
  focusManager.setFocused(undefined)
})

test('credits that fail to load show a dash, not 0', async () => {
  await openResults({ [CREDITS]: () => refuse(500) })
  const counter = screen.getByText('Credits').closest('output')
  expect(counter?.textContent).toContain('–')
  expect(counter?.textContent).not.toMatch(/\d/)
})

test('SPEC 7.6, 7.7: names alone fill the lists', async () => {
  await openResults({
    [TARGETS]: () => Response.json({ protein_names: ['abl', 'src', 'btk'] }),
    [COMPOUNDS]: () => Response.json({ compound_names: ['imatinib'] }),
  })
  expect(namesIn('Targets')).toEqual(['abl', 'src', 'btk'])
  expect(namesIn('Compounds')).toEqual(['imatinib'])
})

test('SPEC 2.10: empty lists say so and link to the upload', async () => {
  await openResults({
    [TARGETS]: () => Response.json({ protein_names: [] }),
    [COMPOUNDS]: () => Response.json({ compound_names: [] }),
  })
  screen.getByText('No targets available')
  screen.getByText('No compounds available')
  const links = screen.getAllByRole('link', { name: 'Upload files' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/prompt', '/prompt'])
})

test('SPEC 3.3, 4.13: there is no picture at first; selecting a target loads its own', async () => {
  const { countOf } = await openResults()
  expect(screen.queryByRole('img', { name: /Drawing/ })).toBeNull()
  screen.getByText(/No target selected\./)
  expect(countOf(ABL)).toBe(0)
  await choose('abl')
  expect(countOf(ABL)).toBeGreaterThan(0)
  expect(pictureIn('Target')?.getAttribute('src')).toMatch(/^data:image/)
})

test('SPEC 2.9: each column shows a picture and the facts of its selected item', async () => {
  await openResults({ [REQUEST]: () => Response.json({ predicted_kd: 7 }) })
  await choosePair()
  expect(pictureIn('Target')?.getAttribute('alt')).toBe('Drawing of abl')
  expect(pictureIn('Compound')?.getAttribute('alt')).toBe('Drawing of imatinib')
  const target = within(screen.getByRole('region', { name: 'Target' }))
  target.getByText('Chain A, 274 residues, 1 gap (5 residues missing)')
  target.getByText('Ignored: chain B, 168 waters')
  target.getByText('Renamed residues: 3 MSE → MET')
  target.getByText(/Alternate locations/)
  const compound = screen.getByRole('region', { name: 'Compound' })
  expect(compound.textContent).toContain('C29H31N7O, 493.6 g/mol')
  expect(compound.textContent).toContain('Removed: CS(=O)(=O)O')
  expect(compound.textContent).toContain('Neutralised: 1 charge')
})

test('SPEC 8.7: a failed picture shows the server’s message; Retry loads it again', async () => {
  let isBroken = true
  const { countOf } = await openResults({
    [ABL]: () =>
      isBroken
        ? refuse(422, 'No chain of this file can be drawn.')
        : Response.json({ image_url: '/abl.webp' }),
  })
  await choose('abl')
  screen.getByText('No chain of this file can be drawn.')
  isBroken = false
  const before = countOf(ABL)
  await press('Retry')
  expect(countOf(ABL)).toBe(before + 1)
  expect(pictureIn('Target')?.getAttribute('src')).toBe('/abl.webp')
})

test('SPEC 8.7: without a server message the kind of picture is named', async () => {
  await openResults({
    [ABL]: () => refuse(500),
    [IMATINIB]: () => refuse(500, ''),
    [REQUEST]: () => Response.json({ predicted_kd: 7 }),
  })
  await choosePair()
  screen.getByText('Failed to load protein visualization')
  screen.getByText('Failed to load molecule visualization')
})

test('SPEC 8.8: a response without a picture, or with an unreadable one, shows an error', async () => {
  await openResults({
    [ABL]: () => Response.json({}),
    [REQUEST]: () => Response.json({ predicted_kd: 7 }),
  })
  await choosePair()
  screen.getByText('No visualization data received')
  const picture = pictureIn('Compound')
  if (picture) fireEvent.error(picture)
  screen.getByText('No image available')
})

test('a picture can be enlarged and closed again', async () => {
  await openResults()
  await choose('abl')
  await press('Enlarge the picture of abl')
  const dialog = screen.getByRole('dialog', { name: 'Picture of abl' })
  within(dialog).getByRole('img', { name: 'Drawing of abl' })
  fireEvent.keyDown(dialog, { key: 'Escape' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('SPEC 8.9: a failed request is listed under Data Error; Retry repeats only that one', async () => {
  let isBroken = true
  const { countOf } = await openResults({
    [TARGETS]: () => (isBroken ? refuse(500) : Response.json({ protein_names: ['abl'] })),
    [COMPOUNDS]: () => (isBroken ? refuse(500) : Response.json({ compound_names: ['imatinib'] })),
  })
  const banner = screen.getByRole('alert')
  within(banner).getByText('Data Error')
  within(banner).getByText('Failed to fetch protein data')
  within(banner).getByText('Failed to fetch compound data')
  isBroken = false
  const before = countOf(CREDITS)
  await press('Retry')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(namesIn('Targets')).toEqual(['abl'])
  expect(countOf(CREDITS)).toBe(before)
})

test('SPEC 8.9: failed credits are listed under Data Error', async () => {
  await openResults({ [CREDITS]: () => refuse(503) })
  const banner = screen.getByRole('alert')
  within(banner).getByText('Data Error')
  within(banner).getByText('Failed to fetch credits')
})

test.each([401, 403])(
  'SPEC 8.10: %d shows Authentication Error; Return to Login ends the session',
  async (status) => {
    storeKey('pk-dead')
    await openResults({ [TARGETS]: () => refuse(status, 'This key is not valid.') })
    const banner = screen.getByRole('alert')
    within(banner).getByText('Authentication Error')
    within(banner).getByText('This key is not valid.')
    await press('Return to Login')
    expect(readKey()).toBeNull()
    expect(readSession()).toEqual({ status: 'anonymous', message: null })
  },
)

test('a loading list shows a skeleton, not a message that it is empty', async () => {
  await openResults({ [TARGETS]: () => new Promise(() => undefined) })
  await pass(1000)
  screen.getByText('Loading targets')
  expect(screen.queryByText('No targets available')).toBeNull()
})

function namesIn(list: string) {
  const options = within(screen.getByRole('listbox', { name: list })).getAllByRole('option')
  return options.map((option) => option.firstChild?.textContent)
}

function pictureIn(column: string) {
  return within(screen.getByRole('region', { name: column })).queryByRole('img')
}
