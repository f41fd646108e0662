/** What the list says before anything is spent: what is known, what a compound is, and what all of them would cost. */
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '#web/test/calls.ts'
import { choose, named, openResults, pass, press } from '#web/test/results.tsx'

const REQUEST = 'POST /dta/predict'
const SCREEN = 'POST /screens'
const names = ['zinc', 'aspirin', 'caffeine', 'ibuprofen', 'imatinib', 'methotrexate']

const world = {
  'GET /dta/get_compound_names': () =>
    Response.json({ compound_names: names, masses: names.map(() => 100), file_count: 1 }),
  'GET /dta/known?protein_id=abl': () =>
    Response.json({
      known: [
        { compound_id: 'imatinib', predicted_kd: 8.1 },
        { compound_id: 'aspirin', predicted_kd: 4.2 },
      ],
      to_predict: 4,
      credits_needed: 4,
    }),
}

test('beside a name stands what is known on the chosen target, and the list can be put in its order', async () => {
  await openResults(world)
  expect(rows()).toEqual(names.map((name) => `${name}100.0 g/mol`))
  await choose('abl')
  expect(rows()[4]).toBe('imatinibpKd 8.10')
  fireEvent.change(screen.getByLabelText('Order of the compounds'), { target: { value: 'rank' } })
  expect(rows().slice(0, 3)).toEqual(['imatinibpKd 8.10', 'aspirinpKd 4.20', 'zinc100.0 g/mol'])
  fireEvent.change(screen.getByLabelText('Order of the compounds'), { target: { value: 'name' } })
  expect(rows()[0]).toBe('aspirinpKd 4.20')
})

test('the search finds inside names, says when it finds nothing, and keeps the selection', async () => {
  const { countOf } = await openResults(world)
  await choose('methotrexate')
  await search('TIN')
  expect(rows()).toEqual(['imatinib100.0 g/mol'])
  await search('xyz')
  expect(screen.getByText('No name holds “xyz”.')).toBeDefined()
  await search('')
  const list = within(screen.getByRole('listbox', { name: 'Compounds' }))
  expect(list.getByRole('option', { selected: true }).textContent).toContain('methotrexate')
  expect(countOf(REQUEST)).toBe(0)
})

test('a compound that is looked at shows what it is, and nothing is predicted', async () => {
  const { countOf } = await openResults({
    ...world,
    'GET /file_manager/compounds/imatinib': () =>
      Response.json({
        name: 'imatinib',
        filename: 'drugs.txt',
        smiles: 'C',
        log_p: -1.31,
        tpsa: 86.28,
        report: {
          formula: 'C29H31N7O',
          mass: 493.62,
          heavy_atoms: 37,
          standard_smiles: 'C',
          stripped: [],
          neutralised: 0,
          warnings: [],
        },
      }),
  })
  await choose('abl')
  const list = screen.getByRole('listbox', { name: 'Compounds' })
  fireEvent.pointerOver(within(list).getByText('imatinib'))
  await pass(100)
  expect(screen.queryByText('Looking takes no credit.')).toBeNull()
  await pass(150)
  await pass(20)
  const look = screen.getByLabelText('About imatinib')
  expect([...look.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual([
    'FormulaC29H31N7O',
    'Mass493.6 g/mol',
    'logP−1.3',
    'TPSA86 Å²',
    'pKd, predicted8.10',
    'Ligand efficiency0.30 kcal/mol an atom',
  ])
  fireEvent.keyDown(list, { key: 'Escape' })
  expect(screen.queryByText('Looking takes no credit.')).toBeNull()
  expect(countOf(REQUEST)).toBe(0)
})

test('all compounds of a target are predicted as a screen, at the price on the button', async () => {
  const { calls, router } = await openResults({
    ...world,
    [SCREEN]: () => Response.json(startedScreen),
  })
  await choose('abl')
  await press('Predict all for this target (4 credits)')
  expect(named(calls, SCREEN).map(({ body }) => body)).toEqual([
    { targets: ['abl'], compounds: 'all' },
  ])
  expect(router.state.location.pathname).toBe('/screens/s1')
})

test('a screen that cannot be paid says so, and stays', async () => {
  const { router } = await openResults({
    ...world,
    [SCREEN]: () => refuse(402, 'This takes 4 credits, and you have 1.'),
  })
  await choose('abl')
  await press('Predict all for this target (4 credits)')
  expect(screen.getByText('This takes 4 credits, and you have 1.')).toBeDefined()
  expect(router.state.location.pathname).toBe('/results')
})

const startedScreen = {
  id: 's1',
  status: 'QUEUED',
  total: 6,
  done: 0,
  known: 2,
  credits_charged: 4,
  targets: [{ name: 'abl', chain: 'A' }],
  compounds: 6,
  model_version: '1.0.0',
  created_at: '2026-11-20T12:00:00.000Z',
  finished_at: null,
  message: null,
}

function rows() {
  const list = screen.getByRole('listbox', { name: 'Compounds' })
  return within(list)
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
}

async function search(text: string) {
  const field = screen.getByRole('searchbox', { name: 'Search compounds' })
  fireEvent.change(field, { target: { value: text } })
  await pass(300)
}
