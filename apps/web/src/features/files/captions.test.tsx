/** Facts below a picture, in chemists' terms. */
import type { Compound, Target } from '@pkdex/contract'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CompoundCaption, TargetCaption } from './captions.tsx'

const chain = { id: 'A', kind: 'protein' as const, residues: 99, missing: null, gaps: [] }
const target: Target = {
  name: '1hpv',
  filename: '1hpv.pdb',
  size_bytes: 1,
  chain: 'A',
  residues: 99,
  report: { title: null, pdb_code: null, chains: [chain], mapped: [], dropped: [], warnings: [] },
}
const compound: Compound = {
  name: 'imatinib',
  filename: 'k.txt',
  smiles: 'C',
  report: {
    formula: 'C29H31N7O',
    mass: 493.615,
    heavy_atoms: 37,
    standard_smiles: 'C',
    stripped: [],
    neutralised: 0,
    warnings: [],
  },
}

test('a single chain without gaps shows no remarks', () => {
  expect(linesOf(target)).toEqual(['Chain A, 99 residues, no gaps'])
})

test('of several chains the used one is named, with its gaps and their effect', () => {
  const gap = { after: '10', before: '14', missing: null }
  const chains = [
    { ...chain, gaps: [gap, gap] },
    { ...chain, id: 'B' },
  ]
  expect(linesOf({ ...target, report: { ...target.report, chains } })).toEqual([
    'Chain A, one of 2 protein chains, 99 residues, 2 gaps',
  ])
})

test('a chain without an identifier is described as such', () => {
  const chains = [{ ...chain, id: '_' }]
  expect(linesOf({ ...target, chain: '_', report: { ...target.report, chains } })).toEqual([
    'The unnamed chain, 99 residues, no gaps',
  ])
})

test('an unchanged compound shows formula and mass only', () => {
  const { container } = render(<CompoundCaption compound={compound} />)
  expect(container.textContent).toBe('imatinibC29H31N7O, 493.6 g/mol')
})

test('changes to a compound are listed', () => {
  const report = { ...compound.report, stripped: ['Cl', 'O'], neutralised: 2, warnings: ['Odd.'] }
  const { container } = render(<CompoundCaption compound={{ ...compound, report }} />)
  expect(container.textContent).toContain('Removed: Cl, ONeutralised: 2 chargesOdd.')
})

test.each([
  ['C[C@H](N)C(=O)O', true],
  ['C/C=C\\C', true],
  ['CC(N)C(=O)O', false],
])('a note says that the model ignores the stereochemistry of %s: %s', (smiles, isSaid) => {
  const report = { ...compound.report, standard_smiles: smiles }
  const { container } = render(<CompoundCaption compound={{ ...compound, report }} />)
  expect(container.textContent.includes('stereoisomers get the same prediction')).toBe(isSaid)
})

function linesOf(shown: Target) {
  const { container } = render(<TargetCaption target={shown} />)
  return [...container.querySelectorAll('p')].map(({ textContent }) => textContent)
}
