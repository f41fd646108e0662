/** Texts built to break the reader: each gets a result, in linear time. */
import { expect, test } from 'vitest'
import { randomFrom } from '../fixtures/random-from.ts'
import { sample, structureOf } from '../fixtures/sample.ts'
import { cpuMsSince, succeeded } from '../fixtures/results.ts'
import type { Parsed } from '../parsed.ts'
import { readStructure, residuesMax } from './read-structure.ts'
import { reportTarget } from './report-target.ts'
import { atomsMax } from './scan-records.ts'
import { type Chain, chainSegments, type Structure } from './structure.ts'

/** Far above any time measured here (0.1 to 1 s), far below anything quadratic. */
const timeMax = 6_000

const texts: [string, () => string, RegExp][] = [
  ['10 MB of one line', () => 'ATOM  '.padEnd(10_000_000, 'x'), /cannot be read/],
  ['10 MB of blanks', () => ' '.repeat(10_000_000), /empty/],
  ['10 MB of lone carriage returns', () => 'x\r'.repeat(5_000_000), /not a PDB file/],
  ['200,000 MODEL records', () => 'MODEL        1\nENDMDL\n'.repeat(200_000), /no atoms/],
  ['a million TER records', () => 'TER\n'.repeat(1_000_000), /no atoms/],
  ['300,000 TITLE records', () => `TITLE     ${'A-'.repeat(30)}\n`.repeat(300_000), /no atoms/],
  [
    'SEQRES without end',
    () => `SEQRES   1 A    1  ${'ALA '.repeat(13)}\n`.repeat(200_000),
    /no atoms/,
  ],
  [
    '300,000 helices',
    () => 'HELIX    1   1 ALA A    1  ASP A    3  1\n'.repeat(300_000),
    /no atoms/,
  ],
  [
    '300,000 MODRES records',
    () => numbered(300_000, (at) => `MODRES 1ABC ${code(at).slice(1)} A    1  ALA`),
    /no atoms/,
  ],
  ['300,000 ions', () => numbered(300_000, (at) => hetero(at)), /more than 250,000 atoms/],
  [
    '200,000 ions, all different',
    () => numbered(200_000, (at) => hetero(at, code(at).slice(1))),
    /small molecules/,
  ],
  [
    'one residue of 200,000 atoms',
    () => numbered(200_000, (at) => hetero(1, 'LIG', code(at))),
    /small molecules/,
  ],
  [
    'two residues by turns',
    () => numbered(200_000, (at) => alpha(at % 2, code(at))),
    /without alpha carbons/,
  ],
  ['100,000 pieces', () => numbered(100_000, (at) => `${alpha(at)}\nTER`), /free amino acids/],
  ['30,000 residues', () => numbered(30_000, (at) => alpha(at)), /more than 20,000 residues/],
  [
    '600 chains',
    () => numbered(600, () => `${alpha(1)}\n${alpha(2)}\nTER`),
    /more than 500 chains/,
  ],
  ['NUL bytes', () => '\u0000'.repeat(1_000_000), /binary/],
]

test.each(texts)('refuses %s in time', (_, make, sentence) => {
  const text = make()
  const start = process.threadCpuUsage()
  const result = readStructure(text)
  expect(cpuMsSince(start)).toBeLessThan(timeMax)
  expect(result.ok ? 'read' : result.reason).toMatch(sentence)
})

const longSeqres = `SEQRES   1 A    1  ${'ALA '.repeat(13)}\n`.repeat(4_000)

test('places 9,999 unbonded residues against a SEQRES of 50,000 in time', () => {
  const text = longSeqres + numbered(9_999, (at) => alpha(at, 'CA', (at % 1_000) * 8))
  const start = process.threadCpuUsage()
  const result = readStructure(text)
  expect(cpuMsSince(start)).toBeLessThan(timeMax)
  expect(succeeded(result).value.chains[0]?.gaps).toHaveLength(9_998)
})

test('searches for 900 missing pieces in a SEQRES of 50,000 in time', () => {
  const pieces = numbered(9_900, (at) => {
    const line = alpha(at, 'CA', (((at % 1_000) + Math.floor(at / 11) * 2) * 3.8) % 9_000)
    return at % 11 === 10 ? line.replace('ALA', 'TRP') : line
  })
  const start = process.threadCpuUsage()
  const result = readStructure(longSeqres + pieces)
  expect(cpuMsSince(start)).toBeLessThan(timeMax)
  expect(succeeded(result).value.chains[0]?.gaps.length).toBeGreaterThan(800)
})

test('reads 63,000 atoms in time', () => {
  const atoms = ['N', 'CA', 'C', 'O', 'CB', 'CG', 'CD']
  const text = numbered(9_000, (at) =>
    atoms.map((name, place) => alpha(at, name, (at % 2_000) * 3.8 + place * 1.25)).join('\n'),
  )
  const start = process.threadCpuUsage()
  expect(structureOf(text).chains[0]?.residues).toHaveLength(9_000)
  expect(cpuMsSince(start)).toBeLessThan(timeMax)
})

test.each([1, 2, 3, 4])('mutated real text always gets a result (seed %i)', (seed) => {
  const random = randomFrom(seed)
  for (let round = 0; round < 30; round++) {
    expect(faultsOf(readStructure(mutated(sample, random)))).toEqual([])
  }
})

test('every prefix of a file gets a result', () => {
  for (let end = 0; end < sample.length; end += 1_771) {
    expect(faultsOf(readStructure(sample.slice(0, end)))).toEqual([])
  }
})

test('shuffled lines get a result', () => {
  const random = randomFrom(9)
  const lines = sample.split('\n')
  for (let round = 0; round < 5; round++) {
    const shuffled = lines.toSorted(() => random() - 0.5)
    expect(faultsOf(readStructure(shuffled.join('\n')))).toEqual([])
  }
})

/** A violated invariant that other code relies on; for a refusal, a reason that is not a sentence. */
function faultsOf(result: Parsed<Structure>): string[] {
  if (!result.ok) return /^[A-Z].{10,}\.$/.test(result.reason) ? [] : [result.reason]
  const structure = result.value
  const residues = structure.chains.flatMap((chain) => chain.residues)
  const atoms = [...residues, ...structure.ligands].flatMap((holder) => holder.atoms)
  const ids = structure.chains.map((chain) => chain.id)
  const claims: Record<string, boolean> = {
    'few residues': residues.length <= residuesMax,
    'few atoms': atoms.length <= atomsMax,
    'whole numbers': residues.every((residue) => Number.isInteger(residue.number)),
    'finite coordinates': atoms.every(({ x, y, z }) => Number.isFinite(x + y + z)),
    elements: atoms.every(({ element }) => /^[A-Z]{1,2}$/.test(element)),
    'unique identifiers': new Set(ids).size === ids.length,
    'short identifiers': ids.every((id) => id.length > 0 && id.length <= 4),
    letters: structure.chains.every(hasSoundLetters),
    'a short report': JSON.stringify(reportTarget(structure)).length < 1_000_000,
  }
  return Object.keys(claims).filter((claim) => claims[claim] !== true)
}

function hasSoundLetters(chain: Chain): boolean {
  const letters = chainSegments(chain).join('')
  const alphabet = chain.kind === 'protein' ? /^[A-Z]+$/ : /^[acgtun]+$/
  return letters.length === chain.residues.length && alphabet.test(letters)
}

/** Some of: characters replaced, bits flipped, a piece removed, duplicated, or moved to the front. */
function mutated(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  const length = Math.floor(random() ** 4 * text.length)
  const piece = text.slice(at, at + length)
  switch (Math.floor(random() * 5)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length)
    case 1:
      return text.slice(0, at) + piece + text.slice(at)
    case 2:
      return piece + text
    case 3:
      return sprinkled(text, random, (code) => code ^ (1 << Math.floor(random() * 8)))
    default:
      return sprinkled(text, random, () => Math.floor(random() * 256))
  }
}

function sprinkled(text: string, random: () => number, change: (code: number) => number): string {
  const rate = random() ** 4 * 0.2
  return text.replaceAll(/[^]/g, (character) =>
    random() < rate ? String.fromCharCode(change(character.charCodeAt(0))) : character,
  )
}

function numbered(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('\n')
}

function code(at: number): string {
  return at.toString(36).toUpperCase().padStart(4, 'Q')
}

/** One hetero atom of group `at`. */
function hetero(at: number, name = ' ZN', atom = 'ZN'): string {
  return `HETATM    1 ${atom.padEnd(4)} ${name} A${columns(at % 10_000, 4)}    ${columns(1, 8)}   1.000   1.000`
}

/** One atom of alanine `at`; a new chain identifier after each 10,000. */
function alpha(at: number, atom = 'CA', x = (at % 2_000) * 3.8): string {
  const label = `${String.fromCharCode(65 + Math.floor(at / 10_000))}${columns(at % 10_000, 4)}`
  return `ATOM      1 ${atom.padStart(3).padEnd(4)} ALA ${label}    ${x.toFixed(3).padStart(8)}   1.000   1.000`
}

function columns(value: number, width: number): string {
  return String(value).padStart(width)
}

test('a chain of 20,000 separate residues is reported in a few thousand characters, with its gaps counted', () => {
  const text = numbered(20_000, (at) => apart(at))
  const report = reportTarget(structureOf(text))
  expect(JSON.stringify(report).length).toBeLessThan(10_000)
  const [chain] = report.chains
  expect(chain).toMatchObject({ residues: 20_000, gap_count: 19_999 })
  expect(chain?.gaps).toHaveLength(50)
  expect(chain?.gaps[0]).toEqual({ after: 'ALA 0', before: 'ALA 1', missing: null })
})

/** Alpha carbons 10 Å apart, in rows that fit the columns. */
function apart(at: number): string {
  const [x, y, z] = [at % 30, Math.floor(at / 30) % 30, Math.floor(at / 900)]
  const place = [x, y, z].map((step) => (step * 10).toFixed(3).padStart(8)).join('')
  const serial = String(at).padStart(5)
  const label = String(at % 10_000).padStart(4)
  const insertion = ' A'[Math.floor(at / 10_000)]
  return `ATOM  ${serial}  CA  ALA A${label}${insertion}   ${place}  1.00  0.00           C`
}
