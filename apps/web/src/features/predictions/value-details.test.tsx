/** What stands under a value: its intervals, its other units, where it comes from, and how far to trust it. */
import { MantineProvider } from '@mantine/core'
import type { PredictionResult } from '@pkdex/contract'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
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

test('SPEC 9.2: the fixed interval and the model’s own are told apart by name and numbers', () => {
  show(inside)
  expect(valueOf('95% confidence, fixed interval')).toBe('6.34 to 9.34')
  expect(valueOf('95%, the model’s own interval for this pair')).toBe('7.02 to 8.58')
})

test('that the ± 1.5 is a convention, and which interval is calibrated, is said beside them', () => {
  show(inside)
  expect(
    screen.getByText(
      'The ± 1.5 is fixed by convention and the same for every pair; the calibrated interval is the model’s own.',
    ),
  ).toBeDefined()
})

test('Kd and ΔG stand side by side with their units, and the pKd is not said again', () => {
  show(inside)
  expect(screen.queryByText('pKd', { selector: 'dt' })).toBeNull()
  expect(valueOf('Kd')).toBe('14.5 nM')
  expect(valueOf('ΔG at 25 °C')).toBe('−10.70 kcal/mol (−44.75 kJ/mol)')
})

test('a pair inside the domain says why, and names its nearest neighbours', () => {
  show(inside)
  expect(screen.getByText('Inside the model’s domain')).toBeDefined()
  expect(screen.getByText('Both are close to training data.')).toBeDefined()
  expect(valueOf('Nearest training compound')).toBe('Tanimoto similarity 0.91')
  expect(rowsOf('Nearest training targets')).toEqual(['ABL1similarity 0.99', 'ABL2similarity 0.83'])
  expect(screen.getByText('1.0.0-3f2a9c')).toBeDefined()
})

test('a near target says its sequence identity and how many values were measured on it', () => {
  show({
    ...inside,
    nearest_targets: [
      { name: 'ABL1', similarity: 0.99, identity_percent: 98.4, measurements: 1204 },
      { name: 'KIT', similarity: 0.02, measurements: 1 },
    ],
  })
  expect(rowsOf('Nearest training targets')).toEqual([
    'ABL198% identical, 1,204 values measured',
    'KITtoo little in common to align, 1 value measured',
  ])
})

test('what similar compounds were measured at on the target stands below it, bounds as bounds', () => {
  show({
    ...inside,
    measured_compounds: [
      { pk: 8.31, is_upper_bound: false, similarity: 0.914 },
      { pk: 5, is_upper_bound: true, similarity: 0.6 },
    ],
  })
  expect(rowsOf('Similar compounds measured on ABL1, pKd or pKi')).toEqual([
    '8.31similarity 0.91',
    'below 5.00similarity 0.60',
  ])
})

test('that no measured compound is alike is said, unless an older result does not know', () => {
  show({ ...inside, measured_compounds: [] })
  expect(screen.getByText('No measured compound is alike on this target.')).toBeDefined()
  cleanup()
  show(inside)
  expect(screen.queryByText(/measured/)).toBeNull()
})

test('where mostly IC50 are known of a target, it is said that they lie below a Kd', () => {
  show({ ...inside, is_mostly_ic50: true })
  expect(screen.getByText(/Most of what is known of this target is IC50/)).toBeDefined()
  cleanup()
  show({ ...inside, is_mostly_ic50: false })
  expect(screen.queryByText(/IC50/)).toBeNull()
})

test('a pair outside the domain says so', () => {
  show({ ...inside, domain: { is_inside: false, is_ligand_driven: false, reason: 'Too far.' } })
  expect(screen.getByText('Outside the model’s domain')).toBeDefined()
})

test('a prediction that rests on the compound alone says so', () => {
  show({ ...inside, domain: { is_inside: true, is_ligand_driven: true, reason: 'Unknown fold.' } })
  expect(screen.getByText(/Driven by the compound/)).toBeDefined()
})

test('a bare value shows the fixed interval and units, and claims nothing else', () => {
  render(
    <MantineProvider env="test">
      <ValueDetails prediction={{ pkd: 7.84, details: null }} />
    </MantineProvider>,
  )
  expect(valueOf('95% confidence, fixed interval')).toBe('6.34 to 9.34')
  expect(
    screen.getByText('The ± 1.5 is fixed by convention and the same for every pair.'),
  ).toBeDefined()
  expect(screen.queryByText(/own interval|domain|Model/)).toBeNull()
})

test('Copy value copies the number as it is shown, and says so', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  show(inside)
  fireEvent.click(screen.getByRole('button', { name: 'Copy value' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Copied' })).toBeDefined())
  expect(writeText).toHaveBeenCalledExactlyOnceWith('7.84')
  expect(screen.getByRole('status').textContent).toBe('7.84 copied')
})

function show(details: PredictionResult) {
  render(
    <MantineProvider env="test">
      <ValueDetails prediction={{ pkd: details.predicted_kd, details }} />
    </MantineProvider>,
  )
}

/** The description beside a term. */
function valueOf(term: string) {
  return screen.getByText(term, { selector: 'dt' }).nextElementSibling?.textContent
}

/** Each line of a list, as it reads. */
function rowsOf(title: string) {
  const list = screen.getByText(title).parentElement
  return [...(list?.querySelectorAll('dd') ?? [])].map(({ textContent }) => textContent)
}
