/** Renaming, deleting and starring from the lists of the results page. */
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Call } from '#web/test/calls.ts'
import { choose, choosePair, named, openResults, pass, press } from '#web/test/results.tsx'

const STAR = 'PUT /file_manager/compounds/imatinib/star'

const option = (name: string) => screen.getByRole('option', { name: new RegExp(`^${name}`) })

test('SPEC 19.14: the star of a row adds the compound to the shortlist and selects nothing', async () => {
  const { calls, countOf } = await openResults({
    [STAR]: ({ body }: Call) => Response.json({ name: 'imatinib', ...Object(body) }),
  })
  const star = option('imatinib').querySelector('[data-star]')
  fireEvent.click(star ?? document.body)
  await pass(20)
  expect(named(calls, STAR).map(({ body }) => body)).toEqual([{ starred: true }])
  expect(option('imatinib').textContent).toContain('starred')
  expect(option('imatinib').getAttribute('aria-selected')).toBe('false')
  screen.getByRole('button', { name: 'Shortlist (1)' })
  const list = screen.getByRole('listbox', { name: 'Compounds' })
  fireEvent.keyDown(list, { key: 'End' })
  fireEvent.keyDown(list, { key: '*' })
  await pass(20)
  expect(named(calls, STAR).map(({ body }) => body)).toEqual([
    { starred: true },
    { starred: false },
  ])
  // They are saved even if the page is left at once.
  expect(named(calls, STAR).map(({ keepalive }) => keepalive)).toEqual([true, true])
  expect(countOf('POST /dta/predict')).toBe(0)
})

test('compounds of the list are ticked, which predicts nothing, and put on the make list', async () => {
  await openResults({
    'PUT /series/lists': ({ body }: Call) =>
      Response.json({
        make_name: null,
        make_tags: [],
        make: Object(body).smiles,
        added_with: [],
        excluded: [],
      }),
  })
  await choose('src')
  await press('Select several')
  await choose('aspirin')
  await choose('imatinib')
  const list = screen.getByRole('listbox', { name: 'Compounds' })
  expect(list.getAttribute('aria-multiselectable')).toBe('true')
  screen.getByText('2 compounds selected')
  await press('Make list')
  await pass(40)
  screen.getByText('On the make list of src')
  expect(screen.getByRole('link', { name: 'New screen' }).getAttribute('href')).toBe('/screens/new')
  await press('Done')
  expect(screen.queryByText('2 compounds selected')).toBeNull()
})

test('a star refused by the server is removed, with the reason', async () => {
  await openResults({
    [STAR]: () =>
      Response.json({ detail: 'You have no compound named “imatinib”.' }, { status: 404 }),
  })
  await choose('imatinib')
  await press('Star imatinib')
  expect(screen.getByRole('alert').textContent).toContain('You have no compound')
  expect(option('imatinib').textContent).not.toContain('starred')
})

test('SPEC 19.13: a renamed compound stays selected', async () => {
  const rename = 'PATCH /file_manager/compounds/imatinib'
  let names = ['aspirin', 'imatinib']
  const { calls, router } = await openResults({
    'GET /dta/get_compound_names': () =>
      Response.json({ compound_names: names, masses: [], file_count: 1 }),
    [rename]: () => {
      names = ['aspirin', 'gleevec']
      return Response.json({ name: 'gleevec' })
    },
  })
  await choose('imatinib')
  await press('Rename')
  const dialog = within(screen.getByRole('dialog', { name: 'Rename imatinib' }))
  fireEvent.change(dialog.getByLabelText('New name'), { target: { value: 'gleevec' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Rename' }))
  await pass(40)
  expect(named(calls, rename).map(({ body }) => body)).toEqual([{ name: 'gleevec' }])
  expect(router.state.location.search).toBe('?compound=gleevec')
  expect(option('gleevec').getAttribute('aria-selected')).toBe('true')
})

test('SPEC 19.13: a deleted target leaves the list, and nothing is predicted', async () => {
  let names = ['abl', 'src']
  const { router, countOf } = await openResults({
    'GET /dta/get_protein_names': () =>
      Response.json({ protein_names: names, residues: [], file_count: 1 }),
    'GET /file_manager/deletion?target=abl': () =>
      Response.json({
        files: 0,
        targets: 1,
        compounds: 0,
        predictions: 1,
        predictions_under_way: 0,
        measured_values: 2,
        screens: 0,
      }),
    'DELETE /file_manager/targets/abl': () => {
      names = ['src']
      return Response.json({
        message: 'abl was deleted.',
        files: 1,
        targets: 1,
        compounds: 0,
        predictions_ended: 0,
        bytes_used: 0,
      })
    },
  })
  await choosePair()
  const asked = countOf('POST /dta/predict')
  const target = within(screen.getByRole('region', { name: 'Target' }))
  fireEvent.click(target.getByRole('button', { name: 'Delete' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Delete abl' }))
  await pass(20)
  const kept = '2 measured values are kept and used again when the same sequence is uploaded.'
  dialog.getByText(new RegExp(`^1 prediction stays in the history .* ${kept}`))
  fireEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await pass(40)
  expect(screen.queryByRole('option', { name: /^abl/ })).toBeNull()
  expect(router.state.location.search).toBe('?compound=imatinib')
  expect(countOf('POST /dta/predict')).toBe(asked)
})
