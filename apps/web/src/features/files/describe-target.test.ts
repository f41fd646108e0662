import type { ChainReport } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { describeOption, describeTarget } from './describe-target.ts'
import { targetNamed } from '#web/test/files.ts'

const chain = (id: string, part: Partial<ChainReport> = {}): ChainReport => ({
  id,
  kind: 'protein',
  residues: 94,
  missing: null,
  gaps: [],
  ...part,
})

test('names the biological unit with the first chain of each kind', () => {
  const chains = [
    chain('A', { kind: 'nucleic acid', residues: 61 }),
    chain('B', { kind: 'nucleic acid', residues: 61 }),
    chain('C'),
    chain('D'),
  ]
  expect(textOf('Chains', chains)).toBe('A (61 nucleotides), B (61), C (94 residues), D (94)')
})

test('counts chains if there are too many to list', () => {
  const chains = Array.from({ length: 60 }, (_, index) => chain(`${index}`))
  expect(textOf('Chains', chains)).toMatch(/^0 \(94 residues\), 1 \(94\), .* and 52 more$/)
})

test('names only the used chain if there is no other', () => {
  expect(textOf('Chain used', [chain('A')])).toBe('Chain A')
})

test('a chain without an identifier, sent as _, is described as such', () => {
  expect(textOf('Chains', [chain('_')], '_')).toBe('unnamed (94 residues)')
  expect(textOf('Chain used', [chain('_')], '_')).toBe('The unnamed chain')
  expect(textOf('Gaps', [chain('_')], '_')).toBe('None in the unnamed chain')
})

test('several chains without an identifier are numbered', () => {
  const chains = [chain('_', { residues: 95 }), chain('_.2'), chain('_100')]
  expect(chains.map(describeOption)).toEqual([
    'Unnamed, 95 residues',
    'Unnamed 2, 94 residues',
    'Unnamed 100, 94 residues',
  ])
  expect(textOf('Chain used', chains, '_.2')).toBe('Unnamed chain 2, selected by you')
})

test('of equally long chains the first is the longest', () => {
  expect(textOf('Chain used', [chain('A'), chain('B')])).toBe('Chain A, longest chain')
  expect(textOf('Chain used', [chain('B'), chain('A')], 'A', 'B')).toBe('Chain A, selected by you')
})

test('a chain chosen by known residues is not described as the user’s choice', () => {
  const chains = [chain('A', { residues: 120 }), chain('B')]
  expect(textOf('Chain used', chains, 'B', 'B')).toBe('Chain B, most residues of known type')
  expect(textOf('Chain used', chains, 'A', 'B')).toBe('Chain A, selected by you')
})

test('a report from an older upload mentions no choice', () => {
  const chains = [chain('A', { residues: 120 }), chain('B')]
  expect(textOf('Chain used', chains, 'A', null)).toBe('Chain A, longest chain')
  expect(textOf('Chain used', chains, 'B', null)).toBe('Chain B')
})

test('says where the used chain is broken, and how many residues are missing if known', () => {
  const gaps = [
    { after: 'PRO 113', before: 'SER 115', missing: 1 },
    { after: 'LYS 200', before: 'GLU 210', missing: null },
  ]
  expect(textOf('Gaps', [chain('A', { gaps })])).toBe(
    '2 in chain A: PRO 113 to SER 115 (1 missing), LYS 200 to GLU 210',
  )
})

test('counts gaps that the report only counts', () => {
  const gaps = Array.from({ length: 50 }, () => ({ after: 'a', before: 'b', missing: null }))
  expect(textOf('Gaps', [chain('A', { gaps, gap_count: 19_999 })])).toMatch(
    /^19999 in chain A: .* and 19995 more$/,
  )
})

test('counts gaps if there are too many to list', () => {
  const gaps = Array.from({ length: 6 }, () => ({ after: 'a', before: 'b', missing: null }))
  expect(textOf('Gaps', [chain('A', { gaps })])).toBe(
    '6 in chain A: a to b, a to b, a to b, a to b and 2 more',
  )
})

test('says which chain lines the ligand, why it is used, and what else is in the pocket', () => {
  const target = targetNamed('x', 'B')
  const chains = [chain('A', { residues: 300 }), chain('B')]
  const pocket = { ligand: 'STI', chain: 'B', residues: 17, metals: ['ZN'], cofactors: ['NAP'] }
  const report = { ...target.report, chains, default_chain: 'B', pocket }
  const facts = describeTarget({ ...target, report })
  const textFor = (term: string) => facts.find((fact) => fact.term === term)?.text
  expect(textFor('Chain used')).toBe('Chain B, binds STI')
  expect(textFor('Pocket')).toBe(
    'STI, surrounded by 17 residues of chain B; nearby: ZN, NAP (not used by the model)',
  )
})

function textOf(
  term: string,
  chains: ChainReport[],
  used = 'A',
  default_chain: string | null = 'A',
) {
  const target = targetNamed('x', used)
  const facts = describeTarget({ ...target, report: { ...target.report, chains, default_chain } })
  return facts.find((fact) => fact.term === term)?.text
}
