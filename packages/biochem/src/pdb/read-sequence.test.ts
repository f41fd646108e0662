/** FASTA text as a target without coordinates. */
import { expect, test } from 'vitest'
import { chainSegments, hasCoordinates } from './structure.ts'
import { readStructure } from './read-structure.ts'
import { reportTarget } from './report-target.ts'

const protease =
  'PQVTLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVGPTPVNIIGRNLLTQIGCTLNF'

test('a FASTA record is one chain with the letters of its lines, without coordinates', () => {
  const lines = `${protease.slice(0, 60).toLowerCase()}\n 61 ${protease.slice(60)}*\n`
  const read = readStructure(`>sp|P03367 HIV-1 protease\r\n${lines}`)
  if (!read.ok) throw new Error(read.reason)
  const [chain] = read.value.chains
  expect(chain && chainSegments(chain)).toEqual([protease])
  expect(chain).toMatchObject({ id: 'A', kind: 'protein' })
  expect(hasCoordinates(read.value)).toBe(false)
  expect(reportTarget(read.value)).toMatchObject({
    title: 'sp|P03367 HIV-1 protease',
    default_chain: 'A',
    has_coordinates: false,
    chains: [{ id: 'A', residues: 99, missing: null }],
    warnings: ['Sequence only: there is no structure to show or to place compounds in.'],
  })
})

test('several records are chains A, B and so on, and the longest is predicted', () => {
  const read = readStructure(`>short\n${protease.slice(0, 30)}\n>empty\n\n>long\n${protease}\n`)
  if (!read.ok) throw new Error(read.reason)
  expect(read.value.chains.map(({ id, residues }) => [id, residues.length])).toEqual([
    ['A', 30],
    ['B', 99],
  ])
  expect(reportTarget(read.value).default_chain).toBe('B')
})

test('rare amino acids keep their letters, and J is unknown', () => {
  const read = readStructure(`>x\n${protease}UOBZXJ\n`)
  const [chain] = read.ok ? read.value.chains : []
  expect(chain && chainSegments(chain)).toEqual([`${protease}UOBZXX`])
})

test.each([
  ['a character that is no amino acid', `>x\n${protease}\nPQV?\n`, 3, /“\?” is not the one-letter/],
  ['DNA', '>x\nACGTACGTACGTACGTACGTACGT\n', 0, /DNA or RNA/],
  ['RNA', '>x\nACGUACGUACGUACGUACGUNNNN\n', 0, /DNA or RNA/],
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
