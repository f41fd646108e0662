/** Evidence below a prediction: loaded when opened, and available as text as well. */
import type { SimilarEvidence, AtomEvidence } from '@pkdex/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { result } from '#web/test/results.tsx'
import { renderScreen } from '#web/test/screen.tsx'
import { Evidence } from './evidence.tsx'

const picture = {
  image: 'data:image/svg+xml;base64,PHN2Zy8+',
  width: 640,
  height: 480,
  alt: 'Structural formula of C2H6O',
  atoms: ['C', 'C', 'O'].map((element, index) => ({ element, x: index * 50, y: 100 })),
}
const atoms: AtomEvidence = {
  predicted_kd: 7.84,
  model_version: '1.0.0',
  picture,
  contributions: [0.3, 0.001, -0.21],
  adds: [],
}
const similar: SimilarEvidence = {
  scope: 'anywhere',
  target: null,
  shift: -0.3,
  accuracy: {
    family: null,
    from: 0,
    below: 1,
    rmse: 1.548,
    tau: 0.1,
    interval: null,
    compounds: 545,
  },
  ranking: {
    series: 148,
    plain: { tau: 0.234, beyond_size: 0.147 },
    structure_adjusted: { tau: 0.284, beyond_size: 0.204 },
  },
  own: picture,
  compounds: [
    {
      similarity: 0.52,
      name: 'methanol',
      smiles: 'CO',
      picture: { ...picture, atoms: picture.atoms.slice(1) },
      common: { own: [1, 2], other: [0, 1] },
      measurements: [
        {
          target: 'ABL1',
          pk: 5,
          is_upper_bound: true,
          types: ['Kd', 'Ki'],
          contribution: null,
          sources: ['BindingDB'],
        },
      ],
      measurement_count: 4,
    },
  ],
}

const onTarget: SimilarEvidence = {
  ...similar,
  scope: 'target',
  target: { name: 'ABL1', similarity: 1, measured: 12, heard: 1530 },
  accuracy: {
    family: { name: 'protein kinases', proteins: 5 },
    from: 1000,
    below: null,
    rmse: 1.104,
    tau: 0.31,
    interval: { lower: 0.9, upper: 1.3 },
    compounds: 467,
  },
}

async function open(found = similar, details = result(7.84), contributions = atoms.contributions) {
  const calls = serveCalls({
    'GET /evidence/atoms?target=abl&compound=drug&theme=light': () =>
      Response.json({ ...atoms, contributions }),
    'GET /evidence/similar?target=abl&compound=drug&theme=light': () => Response.json(found),
    'GET /evidence/receipt?target=abl&compound=drug': () =>
      Response.json(
        { code: 'not_found', message: 'It is gone.', detail: 'It is gone.' },
        { status: 404 },
      ),
  })
  renderScreen(
    <Evidence
      pair={{ compound: 'drug', query: { target: 'abl', compound: 'drug' }, edition: 1 }}
      details={details}
      structure={<p>The structure</p>}
    />,
  )
  return { calls, user: userEvent.setup() }
}

test('similar compounds are shown first; another tab loads when opened, by click or arrow key', async () => {
  const { calls, user } = await open()
  await screen.findByTitle('ABL1, BindingDB')
  expect(calls).toHaveLength(1)
  await user.click(screen.getByRole('tab', { name: 'Atom contributions', selected: false }))
  await screen.findByText('Raise it most')
  expect(calls).toHaveLength(2)
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('3D')
  expect(screen.getByRole('tabpanel', { name: '3D' }).textContent).toBe('The structure')
  await user.keyboard('{Home}')
  expect(document.activeElement?.textContent).toBe('Similar compounds')
})

test.each([
  ['all of one sign', [0.9, 0.3, 0.12], 'hiding any atom lowers the pKd'],
  ['below what the model resolves', [0.06, -0.05, 0.02], 'changes the pKd by less than 0.1'],
])('no atom map if contributions are %s, with a reason', async (_, contributions, why) => {
  const { user } = await open(similar, result(7.84), contributions)
  await user.click(screen.getByRole('tab', { name: 'Atom contributions' }))
  expect((await screen.findByText(/^No atom stands out/)).textContent).toContain(why)
  expect(screen.queryByRole('table', { hidden: true })).toBeNull()
})

test('a card shows value, similarity, identifier and, for another target, that target', async () => {
  await open()
  const card = await screen.findByTitle('ABL1, BindingDB')
  expect(card.textContent).toBe('< 5.000.52methanolon ABL1')
  screen.getByText('No similar compound was measured on this target.')
})

const [methanol] = similar.compounds

test('a compound of this target without a name or drawing has its value and SMILES', async () => {
  const compounds = [
    { ...methanol, name: null, picture: null },
    { ...methanol, name: null, smiles: null, picture: null },
  ]
  await open({ ...onTarget, compounds: compounds as SimilarEvidence['compounds'] })
  const cards = await screen.findAllByTitle('ABL1, BindingDB')
  expect(cards.map(({ textContent }) => textContent)).toEqual([
    'No drawing< 5.000.52CO',
    'No drawing< 5.000.52Unnamed',
  ])
})

test('a value that the prediction rests on says how far it moves it', async () => {
  const [measurement] = methanol?.measurements ?? []
  const measurements = [0.117, -0.42, null].map((contribution) => ({
    ...measurement,
    contribution,
  }))
  const compounds = [{ ...methanol, measurements }]
  const { user } = await open({ ...onTarget, compounds: compounds as SimilarEvidence['compounds'] })
  await user.click(await screen.findByText('More'))
  const values = screen.getAllByText('pKd or pKi < 5.00').map((value) => value.parentElement)
  expect(values.map((value) => /moves .*/.exec(value?.textContent ?? '')?.[0])).toEqual([
    'moves the prediction by +0.12',
    'moves the prediction by −0.42',
    undefined,
  ])
  screen.getByText('All measured values together move the prediction by −0.30.')
})

test('without measured values nothing is said about how far they move the prediction', async () => {
  const { user } = await open({ ...similar, shift: 0 })
  await user.click(await screen.findByText('More'))
  expect(screen.queryByText(/^All measured values/)).toBeNull()
})

test('a value on another target is shown with that target, beside those on this one', async () => {
  const [measurement] = methanol?.measurements ?? []
  const elsewhere = {
    ...methanol,
    measurements: [{ ...measurement, target: 'ABL2 (Homo sapiens)' }],
  }
  const compounds = [methanol, elsewhere] as SimilarEvidence['compounds']
  await open({ ...onTarget, compounds })
  const cards = await screen.findAllByTitle(/BindingDB$/)
  expect(cards.map((card) => /on .*/.exec(card.textContent ?? '')?.[0])).toEqual([
    undefined,
    'on ABL2',
  ])
})

test('a compound that was measured on this target itself is said with its value', async () => {
  const [measurement] = methanol?.measurements ?? []
  const measurements = [{ ...measurement, pk: 9.2, is_upper_bound: false }]
  const compounds = [{ ...methanol, similarity: 1, measurements }]
  await open({ ...onTarget, compounds: compounds as SimilarEvidence['compounds'] }, result(7.84))
  const said = await screen.findByText(/^Measured on this target:/)
  expect(said.textContent).toBe('Measured on this target: 9.20 (methanol).')
})

test('it is not said twice if the value stands above the number', async () => {
  const compounds = [{ ...methanol, similarity: 1 }] as SimilarEvidence['compounds']
  const exact = { pk: 9.2, bound: null, types: ['Kd'], source: 'training' as const }
  await open({ ...onTarget, compounds }, { ...result(7.84), exact_measurements: [exact] })
  await screen.findByTitle('ABL1, BindingDB')
  expect(screen.queryByText(/^Measured on this target:/)).toBeNull()
})

test('compounds measured on other targets are shown on request', async () => {
  await open()
  const summary = await screen.findByText('Measured on other targets: 1')
  expect(summary.closest('details')?.open).toBe(false)
})

test('More contains the reason for the domain and the closest targets with their identities', async () => {
  const details = {
    ...result(7.84),
    nearest_targets: [
      { name: 'ABL1', similarity: 0.99, identity_percent: 98.4, measurements: 1204 },
      { name: 'KIT', similarity: 0.02, measurements: 1 },
    ],
    is_mostly_ic50: true,
  }
  await open(onTarget, details)
  await screen.findByText('Both are close to training data.')
  screen.getByText('98% identical, 1,204 values measured')
  screen.getByText('not related, 1 value measured')
  screen.getByText(/Mostly IC50 data/)
})

test('an atom’s contribution has a sign, and the smallest are not listed', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('tab', { name: 'Atom contributions' }))
  const most = await screen.findByText('C 1 (+0.30)')
  expect(most.previousSibling?.textContent).toBe('Raise it most')
  expect(screen.getByText('O 3 (−0.21)').previousSibling?.textContent).toBe('Lower it most')
  const rows = within(screen.getByRole('table', { hidden: true })).getAllByRole('row', {
    hidden: true,
  })
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'AtomContribution, pKd',
    'C 1+0.30',
    'C 20.00',
    'O 3−0.21',
  ])
})

test('a similar compound is listed with value, type and source, and marked as measured on another target', async () => {
  await open()
  const article = await screen.findByRole('article', { name: 'methanol', hidden: true })
  screen.getByText(/^No similar training target/)
  expect(article.textContent).toContain('Tanimoto similarity 0.52')
  expect(article.textContent).toContain('pKd or pKi < 5.00 on ABL1 · BindingDB')
  expect(article.textContent).toContain('Shared substructure: 2 of 3 atoms.')
  expect(article.textContent).toContain('and 3 more values')
})

test.each([
  [
    similar,
    'proteins with no measured values: RMSE 1.55 (545 compounds), tau 0.10 inside a series.',
  ],
  [
    onTarget,
    '5 protein kinases with 1,000 measured values or more: RMSE 1.10 (0.90 to 1.30; 467 compounds), tau 0.31 inside a series.',
  ],
  [
    {
      ...onTarget,
      accuracy: {
        family: null,
        from: 300,
        below: 1000,
        rmse: 1.055,
        tau: null,
        interval: null,
        compounds: 1119,
      },
    },
    'proteins with 300 to 999 measured values: RMSE 1.05 (1,119 compounds).',
  ],
])(
  'SPEC 22.6: the error on proteins of the family with as many measured values is shown',
  async (found, what) => {
    await open(found)
    expect((await screen.findByText(/^Error on new series/)).textContent).toBe(
      `Error on new series for ${what}`,
    )
  },
)

test('SPEC 22.6: the ranking of new series is shown, beyond size and with the structure', async () => {
  await open()
  expect(await screen.findByText(/^Ranking in/)).toHaveProperty(
    'textContent',
    'Ranking in 148 new series: Kendall’s tau 0.23, 0.15 beyond size; with poses 0.28, 0.20 beyond size.',
  )
})

test('a model without scores on series shows no error', async () => {
  await open({ ...similar, accuracy: null, ranking: null })
  await screen.findByTitle('ABL1, BindingDB')
  expect(screen.queryByText(/^(Error on|Ranking in)/)).toBeNull()
})

test('a server error is shown with its message and Retry', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('tab', { name: 'Receipt' }))
  expect((await screen.findByRole('alert')).textContent).toContain('It is gone.')
  screen.getByRole('button', { name: 'Retry' })
})

test('atoms that a hydrogen bond names have their numbers in the drawing', async () => {
  const contact = { residue: 'ASP 25', chain: 'A', atom: 'OD1', distance: 2.7 }
  const contacts = [
    { ...contact, kind: 'hydrogen bond', compound_atom: 3, words: 'Hydrogen bond: OH (O3)' },
    { ...contact, kind: 'hydrophobic', compound_atom: 1, words: 'Hydrophobic contact: C1' },
  ]
  const pair = { compound: 'drug', query: { target: 'abl', compound: 'drug' }, edition: 1 }
  const pose = {
    target: 'abl',
    chain: 'A',
    compound: 'drug',
    label: 'A model.',
    reason: null,
    references: [{ id: 'STI 201 A', heavy_atoms: 37 }],
    reference: 'STI 201 A',
    own_ligand: null,
    pose: {
      energy: -9,
      mean_energy: -9,
      reference_energy: -9,
      relative: 0.1,
      similarity: 1,
      heavy_atoms: 3,
      core_atoms: 3,
      keeps_stereo: true,
      contacts,
      sdf: '',
    },
  }
  serveCalls({
    'GET /poses?target=abl&compound=drug': () => Response.json(pose),
    'GET /poses/references?target=abl&chain=A': () => Response.json({ references: [], own: null }),
    'GET /evidence/similar?target=abl&compound=drug&theme=light': () => Response.json(similar),
    'GET /file_manager/targets/abl/structure': () => new Response('', { status: 404 }),
  })
  const pocket = { target: 'abl', compound: 'drug' }
  renderScreen(<Evidence pair={pair} details={result(7.84)} pocket={pocket} />)
  await userEvent.click(screen.getByRole('tab', { name: 'In the pocket' }))
  await screen.findByText('Hydrogen bond: OH (O3)')
  expect((await screen.findByText('O3')).tagName).toBe('text')
  expect(screen.queryByText('C1')).toBeNull()
})
