/** Opens `/results` over a server for tests, under StrictMode as the app does, with a clock that the test controls. */
import { MantineProvider } from '@mantine/core'
import type { SimilarEvidence, Compound, PredictionResult, Target } from '@pkdex/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { vi } from 'vitest'
import { PageFrame } from '#web/app/header.tsx'
import { ResultsPage } from '#web/routes/results/results-page.tsx'
import { SETTLE_MS } from '#web/features/predictions/prediction-state.ts'
import { serveCalls } from './calls.ts'

type Answers = Parameters<typeof serveCalls>[0]

/** A history entry as after a reload: with the time at which the pair was requested. */
type Entry = { search?: string; state?: unknown }

const PICTURE = 'data:image/svg+xml;base64,PHN2Zy8+'

export const noEvidence: SimilarEvidence = {
  scope: 'anywhere',
  target: null,
  accuracy: null,
  ranking: null,
  shift: 0,
  own: null,
  compounds: [],
}

const world: Answers = {
  'GET /dta/credits': () => Response.json({ credits: 98, credits_per_prediction: 1 }),
  'GET /dta/get_protein_names': () =>
    Response.json({ protein_names: ['abl', 'src'], residues: [274, 274], file_count: 2 }),
  'GET /dta/get_compound_names': () =>
    Response.json({
      compound_names: ['aspirin', 'imatinib'],
      masses: [493.62, 493.62],
      file_count: 1,
    }),
  ...reports('targets', [target('abl'), target('src')]),
  ...reports('compounds', [compound('aspirin'), compound('imatinib')]),
  ...pictures('protein', ['abl', 'src']),
  ...pictures('molecule', ['aspirin', 'imatinib']),
  ...Object.fromEntries(
    ['abl', 'src'].flatMap((name) =>
      ['aspirin', 'imatinib'].map((drug) => [
        `GET /evidence/similar?target=${name}&compound=${drug}&theme=light`,
        () => Response.json(noEvidence),
      ]),
    ),
  ),
}

export async function openResults(answers: Answers = {}, { search = '', state }: Entry = {}) {
  vi.useFakeTimers()
  const calls = serveCalls({ ...world, ...answers })
  const router = createMemoryRouter(
    [
      {
        Component: PageFrame,
        children: [
          { path: '/results', Component: ResultsPage },
          { path: '/screens/:id', element: <p>The screen</p> },
        ],
      },
    ],
    {
      initialEntries: [{ pathname: '/results', search, state }],
    },
  )
  const client = new QueryClient()
  render(
    <StrictMode>
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
  await pass(ANSWER_MS)
  return { router, client, countOf: (name: string) => named(calls, name).length, calls }
}

/** Long enough for responses to arrive and be rendered, far shorter than a polling interval. */
const ANSWER_MS = 20

export async function pass(milliseconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds))
}

/** Clicks an item of a list without waiting. */
export function click(name: string) {
  fireEvent.click(screen.getByRole('option', { name: new RegExp(`^${name}`) }))
}

/** Selects an item, or deselects it if selected, and waits until the selection is sent. */
export async function choose(name: string) {
  click(name)
  await passUntilAnswered()
}

export async function choosePair(targetName = 'abl', compoundName = 'imatinib') {
  await choose(targetName)
  await choose(compoundName)
}

async function passUntilAnswered() {
  await pass(SETTLE_MS)
  await pass(ANSWER_MS)
}

export async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await passUntilAnswered()
}

export function named<Named extends { name: string }>(calls: Named[], name: string): Named[] {
  return calls.filter((call) => call.name === name)
}

export function result(predictedKd: number): PredictionResult {
  return {
    predicted_kd: predictedKd,
    unit: 'pKd',
    interval: { lower: 7.02, upper: 8.58, level: 0.95 },
    domain: {
      is_inside: true,
      is_ligand_driven: false,
      reason: 'Both are close to training data.',
    },
    nearest_compound: { similarity: 0.91 },
    nearest_targets: [
      { name: 'ABL1', similarity: 0.99 },
      { name: 'ABL2', similarity: 0.83 },
    ],
    model_version: '1.0.0',
  }
}

/** Finds the line with the value, whose number has its own text size. */
export function reading(value: string) {
  return (_: string, element: Element | null) =>
    element?.tagName === 'P' && element.textContent === `pKd = ${value} ± 1.5`
}

/** A response that arrives when the test resolves it. */
export function held(json: unknown) {
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  return { release: () => release(), answer: () => gate.then(() => Response.json(json)) }
}

function target(name: string): Target {
  return {
    name,
    filename: `${name}.pdb`,
    size_bytes: 1000,
    chain: 'A',
    residues: 274,
    report: {
      title: null,
      pdb_code: null,
      chains: [
        {
          id: 'A',
          kind: 'protein',
          residues: 274,
          missing: 5,
          gaps: [{ after: 'A10', before: 'A16', missing: 5 }],
        },
      ],
      mapped: [{ from: 'MSE', to: 'MET', count: 3 }],
      dropped: ['chain B', '168 waters'],
      warnings: ['Alternate locations: the one with the highest occupancy was used.'],
    },
  }
}

function compound(name: string): Compound {
  return {
    name,
    filename: 'drugs.txt',
    smiles: 'CC(=O)Oc1ccccc1C(=O)O',
    report: {
      formula: 'C29H31N7O',
      mass: 493.62,
      heavy_atoms: 37,
      standard_smiles: 'CC(=O)Oc1ccccc1C(=O)O',
      stripped: ['CS(=O)(=O)O'],
      neutralised: 1,
      warnings: [],
    },
  }
}

function reports(kind: 'targets' | 'compounds', read: { name: string }[]): Answers {
  return Object.fromEntries(
    read.map((each) => [`GET /file_manager/${kind}/${each.name}`, () => Response.json(each)]),
  )
}

function pictures(kind: 'protein' | 'molecule', names: string[]): Answers {
  return Object.fromEntries(
    names.map((name) => [
      `GET /visualization/${kind}/${name}?theme=light`,
      () => Response.json({ visualizationUrl: PICTURE, alt: `Drawing of ${name}` }),
    ]),
  )
}
