/** The chain that lines a drug-like ligand is the default, and neighbours of the ligand are listed. */
import { expect, test } from 'vitest'
import { entryText, structureOf } from '../fixtures/sample.ts'
import { file, residueLines } from './fixtures/pdb-lines.ts'
import { reportTarget, type ReportedTarget } from './report-target.ts'

const FAR = 60

function chain(id: string, names: string, aside = 0): string[] {
  const lines = names
    .split(' ')
    .flatMap((name, index) => residueLines({ name, chain: id, number: index + 1, aside }))
  return [...lines, 'TER']
}

/** Twelve atoms along a chain of eight residues, 3.5 Å beside it. */
function group(name: string, { atoms = 12, aside = 3.5, number = 900 } = {}): string[] {
  const places = Array.from({ length: atoms }, (_, at) => [`C${at}`, 4 + 2 * at])
  return residueLines({
    name,
    chain: 'L',
    number,
    at: 0,
    aside,
    record: 'HETATM',
    atoms: Object.fromEntries(places),
  })
}

function report(...parts: string[][]): ReportedTarget {
  return reportTarget(structureOf(file(...parts)))
}

const long = Array(3).fill('ALA CYS ASP GLU PHE GLY HIS ILE LYS LEU MET ASN').join(' ')
const short = Array(4).fill('PRO GLN ARG SER THR VAL TRP TYR').join(' ')
const peptide = 'PRO GLN ARG SER THR VAL TRP TYR'

test('the chain lining a drug-like ligand is used rather than a longer chain of another protein', () => {
  const { default_chain, pocket } = report(chain('A', long, FAR), chain('B', short), group('LIG'))
  expect(default_chain).toBe('B')
  expect(pocket).toEqual({ ligand: 'LIG', chain: 'B', residues: 7, metals: [], cofactors: [] })
})

test('a peptide beside the ligand is not the target', () => {
  const { default_chain } = report(chain('A', long, FAR), chain('B', peptide), group('LIG'))
  expect(default_chain).toBe('A')
})

test('of copies of one chain the longest is used, whichever contains the ligand', () => {
  const { default_chain, pocket } = report(
    chain('A', `${long} ${short}`, FAR),
    chain('B', long),
    group('LIG'),
  )
  expect(default_chain).toBe('A')
  expect(pocket?.chain).toBe('B')
})

test.each([
  ['a buffer', 'EPE', 12],
  ['a sugar', 'NAG', 12],
  ['a cofactor', 'NAP', 12],
  ['a small molecule', 'LIG', 9],
])('%s selects no chain', (_, name, atoms) => {
  const { default_chain, pocket } = report(
    chain('A', long, FAR),
    chain('B', short),
    group(name, { atoms }),
  )
  expect(default_chain).toBe('A')
  expect(pocket).toBeUndefined()
})

test('a ligand that touches no chain selects none', () => {
  const { pocket } = report(chain('A', long), group('LIG', { aside: 30 }))
  expect(pocket).toBeUndefined()
})

test('metals and cofactors near the ligand are listed, distant ones are not', () => {
  const metal = (name: string, aside: number, number: number) =>
    residueLines({
      name,
      chain: 'L',
      number,
      at: 3,
      aside,
      record: 'HETATM',
      atoms: { [name]: 0 },
    }).map((line) => line.slice(0, 76) + name.padStart(2))
  const { pocket } = report(
    chain('A', long),
    group('LIG'),
    group('NAP', { aside: 6.5, number: 901 }),
    group('HEM', { aside: FAR, number: 902 }),
    metal('ZN', 5, 903),
    metal('MG', FAR, 904),
  )
  expect(pocket).toMatchObject({ ligand: 'LIG', metals: ['ZN'], cofactors: ['NAP'] })
})

test('KNI-272 of 1HPX is in chain A, whose copy is chain B', () => {
  const { default_chain, pocket } = reportTarget(structureOf(entryText('1hpx.pdb')))
  expect(default_chain).toBe('A')
  expect(pocket).toEqual({ ligand: 'KNI', chain: 'A', residues: 14, metals: [], cofactors: [] })
})
