/** FASTA text as a target without coordinates. */
import { expect, test } from 'vitest'
import { structureOf } from '../fixtures/sample.ts'
import { chainSegments, hasCoordinates } from './structure.ts'
import { readStructure } from './read-structure.ts'
import { reportTarget } from './report-target.ts'

const protease =
  'PQVTLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVGPTPVNIIGRNLLTQIGCTLNF'

test('a FASTA record is one chain with the letters of its lines, without coordinates', () => {
  const lines = `${protease.slice(0, 60).toLowerCase()}\n 61 ${protease.slice(60)}*\n`
  const structure = structureOf(`>sp|P03367 HIV-1 protease\r\n${lines}`)
  const [chain] = structure.chains
  expect(chain && chainSegments(chain)).toEqual([protease])
  expect(chain).toMatchObject({ id: 'A', kind: 'protein' })
  expect(hasCoordinates(structure)).toBe(false)
  expect(reportTarget(structure)).toMatchObject({
    title: 'sp|P03367 HIV-1 protease',
    default_chain: 'A',
    has_coordinates: false,
    chains: [{ id: 'A', residues: 99, missing: null }],
    warnings: ['Sequence only: there is no structure to show or to place compounds in.'],
  })
})

test('several records are chains A, B and so on, and the longest is predicted', () => {
  const structure = structureOf(`>short\n${protease.slice(0, 30)}\n>empty\n\n>long\n${protease}\n`)
  expect(structure.chains.map(({ id, residues }) => [id, residues.length])).toEqual([
    ['A', 30],
    ['B', 99],
  ])
  expect(reportTarget(structure).default_chain).toBe('B')
})

test('rare amino acids keep their letters, and J is unknown', () => {
  const read = readStructure(`>x\n${protease}UOBZXJ\n`)
  const [chain] = read.ok ? read.value.chains : []
  expect(chain && chainSegments(chain)).toEqual([`${protease}UOBZXX`])
})

const hit = `MK${protease}GR`
const a3m = [
  `#${protease.length}\t1`,
  '>query',
  protease,
  '>longest hit',
  `mk${protease.slice(0, 50)}${hit.slice(52, 56).toLowerCase()}${protease.slice(50)}gr`,
  '>short hit',
  `${protease.slice(0, 80)}${'-'.repeat(19)}`,
]

test.each([
  ['an a3m file of a predictor', a3m],
  ['an a3m file without its line of lengths', a3m.slice(1)],
  ['an a3m file of 200 rows', [...a3m, ...Array<string>(100).fill(a3m.slice(5).join('\n'))]],
])('of %s, only the query is read', (_, lines) => {
  const structure = structureOf(lines.join('\n'))
  expect(structure.chains.map((chain) => chainSegments(chain))).toEqual([[protease]])
  expect(structure.warnings).toContain(
    'This is an alignment: only its first sequence, the query, is used.',
  )
})

test('the title of a PIR record is no sequence', () => {
  const { chains } = structureOf(`>P1;X\nPROTEASE WITH TITLE\n${'ACDEFGHIKL'.repeat(3)}*\n`)
  expect(chains.map(({ residues }) => residues.length)).toEqual([30])
})

test('equal sequences without gaps are no alignment', () => {
  const structure = structureOf(`>a\n${protease}\n>b\n${protease.toLowerCase()}\n`)
  expect(structure.chains.map(({ id }) => id)).toEqual(['A', 'B'])
})

const proteinA = `>A|protein|./a.a3m\n${protease}\n`

test.each([
  [
    'a SMILES of Boltz',
    `${proteinA}>B|smiles\nCC(=O)Nc1ccccc1\n`,
    3,
    /^Record 2 \(“B\|smiles”\) is a SMILES/,
  ],
  [
    'a ligand code',
    `${proteinA}>C|ccd\nSAH\n`,
    3,
    /^Record 2 .* is a ligand\. .*remove this record/,
  ],
  ['a ligand of Chai', `>protein|name=x\n${protease}\n>ligand|name=y\nCCO\n`, 3, /is a ligand/],
  ['RNA by its heading', `${proteinA}>R|rna\nACGU\n`, 3, /^Record 2 .* is a DNA or RNA sequence/],
  [
    'DNA by its letters',
    `${proteinA}>d\nACGTACGTACGTACGTACGTACGT\n`,
    3,
    /^Record 2 \(“d”\) is a DNA/,
  ],
  [
    'a SMILES without a heading of its kind',
    `${proteinA}>x\nc1ccccc1\n`,
    3,
    /^Record 2 .* a SMILES/,
  ],
  [
    'a modified residue',
    `>protein|x\nPQV(SEP)${protease}\n`,
    2,
    /^Record 1 .*“\(SEP\)”, are not read/,
  ],
])('refuses %s by its record', (_, text, line, reason) => {
  const read = readStructure(text)
  expect(read).toMatchObject({ ok: false, line })
  expect(read.ok ? '' : read.reason).toMatch(reason)
})

test.each([
  ['a character that is no amino acid', `>x\n${protease}\nPQV?\n`, 3, /“\?” is not the one-letter/],
  ['DNA', '>x\nACGTACGTACGTACGTACGTACGT\n', 1, /DNA or RNA/],
  ['RNA', '>x\nACGUACGUACGUACGUACGUNNNN\n', 1, /DNA or RNA/],
  ['a peptide', '>x\nPQVTLWQRPL\n', 0, /only 10 residues; a target needs at least 20/],
  ['a header alone', '>x\n', 0, /only 0 residues/],
  ['unknown residues alone', `>x\n${'X'.repeat(40)}\n`, 0, /only 0 residues/],
  ['27 records', `>x\n${protease}\n`.repeat(27), 53, /more than 26 sequences/],
  ['too many residues', `>x\n${protease.repeat(203)}\n`, 2, /more than 20,000 residues/],
])('rejects %s and names the line', (_, text, line, reason) => {
  const read = readStructure(text)
  expect(read).toMatchObject({ ok: false, line })
  expect(read.ok ? '' : read.reason).toMatch(reason)
})
