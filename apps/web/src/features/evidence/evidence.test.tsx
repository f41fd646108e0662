/** The parts under a number: nothing is asked before one is opened, and what they show stands in words as well. */
import type { AlikeEvidence, AtomEvidence } from '@pkdex/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
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
  adds: [0.3, 0.001, -0.21],
}
const alike: AlikeEvidence = {
  scope: 'anywhere',
  target: null,
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
          sources: ['BindingDB'],
        },
      ],
      measurement_count: 4,
    },
  ],
}

const onTarget: AlikeEvidence = {
  ...alike,
  scope: 'target',
  target: { name: 'ABL1', similarity: 1, measured: 12, heard: 1530 },
}

async function open(found = alike) {
  const calls = serveCalls({
    'GET /evidence/atoms?target=abl&compound=drug&theme=light': () => Response.json(atoms),
    'GET /evidence/alike?target=abl&compound=drug&theme=light': () => Response.json(found),
    'GET /evidence/receipt?target=abl&compound=drug': () =>
      Response.json(
        { code: 'not_found', message: 'It is gone.', detail: 'It is gone.' },
        { status: 404 },
      ),
  })
  renderScreen(<Evidence pair={{ target: 'abl', compound: 'drug', requestedAt: 1 }} />)
  return { calls, user: userEvent.setup() }
}

test('nothing is asked before a part is opened, and each part asks for itself alone', async () => {
  const { calls, user } = await open()
  expect(calls).toEqual([])
  await user.click(screen.getByRole('button', { name: /^Which atoms/, expanded: false }))
  expect(await screen.findByText('Add most')).toBeDefined()
  expect(calls).toHaveLength(1)
})

test('what an atom adds or takes away is said with its sign, the smallest not at all', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: /^Which atoms/ }))
  const most = await screen.findByText('C 1 (+0.30)')
  expect(most.previousSibling?.textContent).toBe('Add most')
  expect(screen.getByText('O 3 (−0.21)').previousSibling?.textContent).toBe('Take away most')
  const rows = within(screen.getByRole('table', { hidden: true })).getAllByRole('row', {
    hidden: true,
  })
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'AtomAdds, pKd',
    'C 1+0.30',
    'C 20.00',
    'O 3−0.21',
  ])
})

test('an alike compound is said with its value, type and source, and that it was not measured here', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: /^What it leans on/ }))
  const article = await screen.findByRole('article', { name: 'methanol' })
  expect(screen.getByText(/^No training target resembles this protein/)).toBeDefined()
  expect(article.textContent).toContain('Tanimoto similarity 0.52')
  expect(article.textContent).toContain('pKd or pKi below 5.00 on ABL1 · BindingDB')
  expect(article.textContent).toContain('The marked part is common: 2 of your 3 atoms.')
  expect(article.textContent).toContain('and 3 more values')
})

test('values that the number hears and nobody can list are counted', async () => {
  const { user } = await open(onTarget)
  await user.click(screen.getByRole('button', { name: /^What it leans on/ }))
  expect(await screen.findByText(/^Of 12 values measured on ABL1/)).toBeDefined()
  expect(
    screen.getByText(/^The number also hears 1,530 values from series on this protein/),
  ).toBeDefined()
})

test('what the server refuses is said in its words, with Retry', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: /^Receipt/ }))
  expect((await screen.findByRole('alert')).textContent).toContain('It is gone.')
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined()
})
