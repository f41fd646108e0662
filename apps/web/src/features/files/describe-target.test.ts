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

test('names the unit with the first chain of each kind', () => {
  const chains = [
    chain('A', { kind: 'nucleic acid', residues: 61 }),
    chain('B', { kind: 'nucleic acid', residues: 61 }),
    chain('C'),
    chain('D'),
  ]
  expect(textOf('Chains', chains)).toBe('A (61 nucleotides), B (61), C (94 residues), D (94)')
})

test('counts chains that are too many to name', () => {
  const chains = Array.from({ length: 60 }, (_, index) => chain(`${index}`))
  expect(textOf('Chains', chains)).toMatch(/^0 \(94 residues\), 1 \(94\), .* and 52 more$/)
})

test('names the used chain alone where there is no other', () => {
  expect(textOf('Used', [chain('A')])).toBe('Chain A')
})

test('a chain without a letter, which the server calls _, is said to have none', () => {
  expect(textOf('Chains', [chain('_')], '_')).toBe('no letter (94 residues)')
  expect(textOf('Used', [chain('_')], '_')).toBe('The chain without a letter')
  expect(textOf('Gaps', [chain('_')], '_')).toBe('None in the chain without a letter')
})

test('several chains without a letter are told apart by their number', () => {
  const chains = [chain('_', { residues: 95 }), chain('_.2'), chain('_100')]
  expect(chains.map(describeOption)).toEqual([
    'No letter, 95 residues',
    'No letter 2, 94 residues',
    'No letter 100, 94 residues',
  ])
  expect(textOf('Used', chains, '_.2')).toBe('Chain 2 without a letter, your choice')
})

test('the first of several chains of one length is the longest', () => {
  expect(textOf('Used', [chain('A'), chain('B')])).toBe('Chain A, the longest')
  expect(textOf('Used', [chain('B'), chain('A')], 'A', 'B')).toBe('Chain A, your choice')
})

test('a chain that is used for its known residues is nobody’s choice, longer ones beside it or not', () => {
  const chains = [chain('A', { residues: 120 }), chain('B')]
  expect(textOf('Used', chains, 'B', 'B')).toBe('Chain B, the longest by residues of known type')
  expect(textOf('Used', chains, 'A', 'B')).toBe('Chain A, your choice')
})

test('a report of an older upload claims no choice that it does not know of', () => {
  const chains = [chain('A', { residues: 120 }), chain('B')]
  expect(textOf('Used', chains, 'A', null)).toBe('Chain A, the longest')
  expect(textOf('Used', chains, 'B', null)).toBe('Chain B')
})

test('says where the used chain is broken, and by how much where that is known', () => {
  const gaps = [
    { after: 'PRO 113', before: 'SER 115', missing: 1 },
    { after: 'LYS 200', before: 'GLU 210', missing: null },
  ]
  expect(textOf('Gaps', [chain('A', { gaps })])).toBe(
    '2 in chain A: PRO 113 to SER 115 (1 missing), LYS 200 to GLU 210',
  )
})

test('counts gaps that the report itself only counts', () => {
  const gaps = Array.from({ length: 50 }, () => ({ after: 'a', before: 'b', missing: null }))
  expect(textOf('Gaps', [chain('A', { gaps, gap_count: 19_999 })])).toMatch(
    /^19999 in chain A: .* and 19995 more$/,
  )
})

test('counts gaps that are too many to name', () => {
  const gaps = Array.from({ length: 6 }, () => ({ after: 'a', before: 'b', missing: null }))
  expect(textOf('Gaps', [chain('A', { gaps })])).toBe(
    '6 in chain A: a to b, a to b, a to b, a to b and 2 more',
  )
})

test('says which chain lines the ligand, why it is used, and what else lies in the pocket', () => {
  const target = targetNamed('x', 'B')
  const chains = [chain('A', { residues: 300 }), chain('B')]
  const pocket = { ligand: 'STI', chain: 'B', residues: 17, metals: ['ZN'], cofactors: ['NAP'] }
  const report = { ...target.report, chains, default_chain: 'B', pocket }
  const facts = describeTarget({ ...target, report })
  const textFor = (term: string) => facts.find((fact) => fact.term === term)?.text
  expect(textFor('Used')).toBe('Chain B, which lines STI')
  expect(textFor('Pocket')).toBe(
    'STI, lined by 17 residues of chain B; ZN, NAP beside it, which the model does not see',
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
