/** Details below a value: intervals, other units, sources, and reliability. */
import type { DomainState, PredictionResult } from '@pkdex/contract'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderRoutes } from '#web/test/screen.tsx'
import { toPrediction } from './prediction-state.ts'
import { ValueDetails } from './value-details.tsx'

const inside: PredictionResult = {
  predicted_kd: 7.84,
  unit: 'pKd',
  interval: { lower: 7.02, upper: 8.58, level: 0.95 },
  domain: { is_inside: true, is_ligand_driven: false, reason: 'Both are close to training data.' },
  nearest_compound: { similarity: 0.914 },
  nearest_targets: [
    { name: 'ABL1', similarity: 0.99 },
    { name: 'ABL2', similarity: 0.831 },
  ],
  model_version: '1.0.0-3f2a9c',
}

test('SPEC 9.2: the calibrated interval comes first, the fixed one at its 95% level after it', () => {
  show(inside)
  expect(valueOf('95% interval, calibrated')).toBe('7.02 to 8.58')
  expect(valueOf('± 1.5 by convention (95%)')).toBe('6.34 to 9.34')
  const terms = [...document.querySelectorAll('dt')].map(({ textContent }) => textContent)
  expect(terms.slice(0, 2)).toEqual(['95% interval, calibrated', '± 1.5 by convention (95%)'])
})

test('digits follow the uncertainty: two decimals, one, or a range alone outside the domain', () => {
  show(inside)
  expect(valueOf('Kd')).toBe('14 nM 3 nM to 0.1 µM')
  expect(valueOf('ΔG')).toBe('−10.7 kcal/mol')
  cleanup()
  show(inState('known_on_other_targets'))
  expect(valueOf('Kd')).toBe('10 nM 3 nM to 0.1 µM')
  expect(valueOf('ΔG')).toBe('−11 kcal/mol')
  cleanup()
  show(inState('outside'))
  expect(valueOf('Kd')).toBe('3 nM to 0.1 µM ')
  expect(valueOf('ΔG')).toBe('−12 to −10 kcal/mol')
  expect(screen.queryByText('LE')).toBeNull()
})

test('efficiencies have the same basis as Kd, also if the pair was measured', () => {
  show(inside)
  expect(valueOf('LE')).toBe('0.29 ')
  expect(valueOf('LLE')).toBe('4.3 ')
  cleanup()
  show({
    ...inside,
    exact_measurements: [{ pk: 9, bound: null, types: ['Ki'], source: 'training' }],
  })
  expect(valueOf('LLE')).toBe('4.3 ')
})

test.each([
  [
    'known_on_target',
    'Known on this target',
    'closest compound 0.83 (close), target 98% identical',
  ],
  [
    'known_on_other_targets',
    'Known on other targets only',
    'closest compound 0.91 (close), target 98%',
  ],
  ['outside', 'Outside the domain', 'closest compound 0.91 (close), target 98% identical'],
] as const)('domain %s is one line with compound and target separate', (state, title, facts) => {
  show({
    ...inState(state),
    nearest_measured_compound: { similarity: 0.83 },
    nearest_targets: [{ name: 'ABL1', similarity: 0.99, identity_percent: 98.4 }],
  })
  expect(screen.getByText(title).parentElement?.textContent).toContain(facts)
})

test.each([
  [0.38, 'closest compound 0.38 (distant)'],
  [0.4, 'closest compound 0.40 (related)'],
  [1, 'closest compound 1.00 (same compound)'],
])('similarity %d is a number with a word', (similarity, words) => {
  show({ ...inState('known_on_target'), nearest_measured_compound: { similarity } })
  expect(screen.getByText('Known on this target').parentElement?.textContent).toContain(words)
})

test('a result without domain states gets its state from the measured values nearby', () => {
  show({ ...inside, measured_compounds: [] })
  screen.getByText('Known on other targets only')
})

const numberOf = (predicted_kd: number) => ({
  predicted_kd,
  interval: { lower: predicted_kd - 0.8, upper: predicted_kd + 0.8, level: 0.95 },
})

test('the number is the best estimate; chips and a table say what it rests on', async () => {
  show({ ...inside, best_estimate: { ...numberOf(8.21), pose: numberOf(8.37), own_values: 12 } })
  expect(valueOf('95% interval, calibrated')).toBe('7.41 to 9.01')
  expect(valueOf('LLE')).toBe('4.7 ')
  for (const chip of ['Sequence + compound', 'Pose in 3dkc', '12 own values']) {
    screen.getByText(chip)
  }
  fireEvent.click(screen.getByRole('button', { name: 'How this was obtained' }))
  const rows = [...screen.getByRole('table', { name: 'Stages' }).querySelectorAll('tbody tr')]
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Sequence and compound', '7.84', '7.02 to 8.58'],
    ['+ pose in your structure', '8.37', '7.57 to 9.17'],
    ['+ your 12 values', '8.21', '7.41 to 9.01'],
  ])
})

test('a number that nothing has moved has one chip and no table', () => {
  show({ ...inside, best_estimate: { ...numberOf(7.84), own_values: 0 } })
  screen.getByText('Sequence + compound')
  expect(screen.queryByRole('button', { name: 'How this was obtained' })).toBeNull()
})

test.each([
  ['harms', 'that would make predictions worse'],
  ['no better than the average', 'that predict no better than their average'],
  ['helps', 'switched off'],
] as const)('own values that are not used are listed with the reason: %s', (verdict, reason) => {
  show({ ...inside, own_values_unused: { count: 7, verdict } })
  expect(screen.getByText('Your values are not used').parentElement?.textContent).toContain(
    `7 values ${reason}`,
  )
})

test('own values of compounds without a prediction are said to wait for it', () => {
  show({ ...inside, own_values_unpredicted: 5 })
  const title = screen.getByText('Some of your values do not count yet')
  expect(title.parentElement?.textContent).toContain(
    '5 values for compounds that are not predicted on this target',
  )
})

test('a bare value shows the fixed interval and units, and nothing else', () => {
  const bare = (
    <ValueDetails prediction={toPrediction(7.84, null)} target={null} size={null} addValue={null} />
  )
  renderRoutes({ '/': bare }, '/')
  expect(valueOf('± 1.5 by convention (95%)')).toBe('6.34 to 9.34')
  expect(screen.queryByText(/calibrated|domain|Known/)).toBeNull()
})

test('Copy value copies the number as shown, and confirms it', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  show(inside)
  fireEvent.click(screen.getByRole('button', { name: 'Copy value' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Copied' })).toBeDefined())
  expect(writeText).toHaveBeenCalledExactlyOnceWith('7.84')
  screen.getByText('7.84 copied')
})

function show(details: PredictionResult) {
  const prediction = toPrediction(details.predicted_kd, details)
  const size = { heavyAtoms: 37, logP: 3.5 }
  const shown = { prediction, size, target: '3dkc', addValue: null }
  renderRoutes({ '/': <ValueDetails {...shown} /> }, '/')
}

/** The description beside a term. */
function valueOf(term: string) {
  return screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent
}

function inState(state: DomainState): PredictionResult {
  return { ...inside, domain: { ...inside.domain, is_inside: state === 'known_on_target', state } }
}
