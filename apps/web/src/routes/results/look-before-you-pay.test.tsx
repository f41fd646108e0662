/** What the list shows before any credits are used: known predictions, details of a compound, and the cost of all of them. */
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '#web/test/calls.ts'
import { choose, named, openResults, pass, press } from '#web/test/results.tsx'
import { started } from '#web/test/screens.tsx'

const REQUEST = 'POST /dta/predict'
const SCREEN = 'POST /screens'
const names = ['zinc', 'aspirin', 'caffeine', 'ibuprofen', 'imatinib', 'methotrexate']

const world = {
  'GET /dta/get_compound_names': () =>
    Response.json({ compound_names: names, masses: names.map(() => 100), file_count: 1 }),
  'GET /dta/known?protein_id=abl': () =>
    Response.json({
      known: [
        { compound_id: 'imatinib', predicted_kd: 7.5, best_kd: 8.1 },
        { compound_id: 'aspirin', predicted_kd: 4.1, best_kd: 4.2, measured_pk: 4.5 },
      ],
      to_predict: 4,
      credits_needed: 4,
    }),
}

test('SPEC 30.11: a known prediction on the selected target is shown next to the name, and the list can be sorted by it', async () => {
  await openResults(world)
  expect(rows()).toEqual(names.map((name) => `${name}100.0 g/mol`))
  await choose('abl')
  expect(rows()[4]).toBe('imatinibpKd 8.10')
  fireEvent.change(screen.getByLabelText('Sort compounds'), { target: { value: 'rank' } })
  expect(rows().slice(0, 3)).toEqual([
    'imatinibpKd 8.10',
    'aspirinMeasured 4.50pKd 4.20',
    'zinc100.0 g/mol',
  ])
  fireEvent.change(screen.getByLabelText('Sort compounds'), { target: { value: 'name' } })
  expect(rows()[0]).toBe('aspirinMeasured 4.50pKd 4.20')
})

test('the search matches parts of names, reports no matches, and keeps the selection', async () => {
  const { countOf } = await openResults(world)
  await choose('methotrexate')
  await search('TIN')
  expect(rows()).toEqual(['imatinib100.0 g/mol'])
  await search('xyz')
  screen.getByText('No matches for “xyz”.')
  await search('')
  const list = within(screen.getByRole('listbox', { name: 'Compounds' }))
  expect(list.getByRole('option', { selected: true }).textContent).toContain('methotrexate')
  expect(countOf(REQUEST)).toBe(0)
})

test('hovering a compound shows its details, and nothing is predicted', async () => {
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
  expect(screen.queryByText('Viewing is free.')).toBeNull()
  await pass(150)
  await pass(20)
  const look = screen.getByLabelText('About imatinib')
  expect([...look.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual([
    'FormulaC29H31N7O',
    'Mass493.6 g/mol',
    'logP−1.3',
    'TPSA86 Å²',
    'Predicted pKd8.10',
    'Ligand efficiency0.30 kcal/mol per heavy atom',
  ])
  fireEvent.keyDown(list, { key: 'Escape' })
  expect(screen.queryByText('Viewing is free.')).toBeNull()
  expect(countOf(REQUEST)).toBe(0)
})

test('all compounds of a target are predicted as a screen, with the cost on the button', async () => {
  const { calls, router } = await openResults({
    ...world,
    [SCREEN]: () => Response.json(started),
  })
  await choose('abl')
  await press('Predict all for this target (4 credits)')
  expect(named(calls, SCREEN).map(({ body }) => body)).toEqual([
    { targets: ['abl'], compounds: 'all' },
  ])
  expect(router.state.location.pathname).toBe('/screens/s1')
})

test('with too few credits all compounds cannot be predicted, and the page says how many are missing', async () => {
  const { countOf } = await openResults({
    ...world,
    'GET /dta/credits': () => Response.json({ credits: 1, credits_per_prediction: 1 }),
  })
  await choose('abl')
  await press('Predict all for this target (4 credits)')
  screen.getByText('You need 3 credits more. Ask your administrator for credits.')
  expect(countOf(SCREEN)).toBe(0)
})

test('a screen that cannot be paid shows an error', async () => {
  const { router } = await openResults({
    ...world,
    [SCREEN]: () => refuse(402, 'This takes 4 credits, and you have 1.'),
  })
  await choose('abl')
  await press('Predict all for this target (4 credits)')
  screen.getByText('This takes 4 credits, and you have 1.')
  expect(router.state.location.pathname).toBe('/results')
})

test('a lost response is not reported as free, and the retry sends the same key', async () => {
  const answers = [
    () => Response.error(),
    () => new Response('', { status: 502 }),
    () => Response.json(started),
  ]
  const { calls, router } = await openResults({
    ...world,
    [SCREEN]: () => answers.shift()?.() ?? Response.error(),
  })
  await choose('abl')
  for (const attempt of [1, 2]) {
    await press('Predict all for this target (4 credits)')
    const sentence = 'The server did not respond. Try again: you will not be charged twice.'
    expect(screen.getByText(sentence), `after attempt ${attempt}`).toBeDefined()
    expect(screen.queryByText('The screen was not started')).toBeNull()
  }
  await press('Predict all for this target (4 credits)')
  const keys = named(calls, SCREEN).map(({ headers }) => headers.get('Idempotency-Key'))
  expect(keys).toHaveLength(3)
  expect(keys[0]).toMatch(/^[\d-]+$/)
  expect(new Set(keys).size).toBe(1)
  expect(router.state.location.pathname).toBe('/screens/s1')
})

test('after a refusal the next order has a new key', async () => {
  const { calls } = await openResults({
    ...world,
    [SCREEN]: () => refuse(402, 'This takes 4 credits, and you have 1.'),
  })
  await choose('abl')
  await press('Predict all for this target (4 credits)')
  await press('Predict all for this target (4 credits)')
  const keys = named(calls, SCREEN).map(({ headers }) => headers.get('Idempotency-Key'))
  expect(new Set(keys).size).toBe(2)
})

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
