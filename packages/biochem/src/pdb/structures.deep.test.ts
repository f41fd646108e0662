/**
 * Real structure files get the results recorded in fixtures/structures.txt, and agree with independent sources: a dozen
 * PDB entries in fixtures/structures and, if PKDEX_SHARED is set, every file of the structure collection in that
 * folder.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { entryText } from '../fixtures/sample.ts'
import { readStructure } from './read-structure.ts'
import { reportTarget, type ReportedChain, type ReportedTarget } from './report-target.ts'

const entries = new URL('fixtures/structures/', import.meta.url)
const shared = process.env['PKDEX_SHARED'] ?? ''
const collection = `${shared}/structures`
const expected = expectedAnswers()

describe('PDB entries of this repository', () => {
  const files = readdirSync(entries).filter((file) => /\.(pdb|ent)\.gz$/.test(file))
  const texts = files.map((file) => [file.slice(0, -3), entryText(file.slice(0, -3))] as const)

  test('there are a dozen, covering difficulties of real files', () => {
    expect(files.length).toBe(12)
    const answers = texts.map(([file]) => expected.get(file)?.join('\n') ?? '').join('\n')
    expect(answers).toContain('mapped MSE to MET')
    expect(answers).toContain('3 models')
    expect(answers).toContain('nucleic acid')
    expect(answers).toContain('Alpha carbons only')
    expect(answers).toContain('alternate locations')
    expect(answers).toContain('SER 40A')
  })

  test.each(texts)('gives %s its expected result', (file, text) => {
    expect(answerFor(text)).toEqual(expected.get(file))
  })

  test.each(texts)('gives %s the same result with other line ends', (file, text) => {
    for (const lineEnd of ['\r\n', '\r']) {
      expect(answerFor(text.replaceAll(/\r?\n/g, lineEnd))).toEqual(expected.get(file))
    }
  })

  test.each(texts.filter(([, text]) => listedAsMissing(text).size > 0))(
    'counts missing residues of %s as REMARK 465 does',
    (_, text) => {
      expect(countedAsMissing(text)).not.toEqual([])
      expect(countedAsMissing(text)).toEqual(missingByRemark(text))
    },
  )

  test('DNA without a protein is rejected as DNA', () => {
    const [, text] = texts.find(([file]) => file === '1LCD.pdb') ?? ['', '']
    const dna = text.split('\n').filter((line) => !/^(ATOM  |HETATM|TER).{15}A/.test(line))
    expect(answerFor(dna.join('\n'))).toEqual([
      'refused This file contains only DNA; a target needs a protein chain.',
    ])
  })
})

describe.skipIf(shared === '')('the structure collection (PKDEX_SHARED names its folder)', () => {
  const files =
    shared === '' ? [] : readdirSync(collection).filter((file) => file !== 'manifest.tsv')

  test('every file has an expected result, and every expected result a file', () => {
    expect(files.toSorted()).toEqual([...expected.keys()].toSorted())
  })

  test.each(files)('gives %s its expected result', (file) => {
    expect(answerFor(textOf(file))).toEqual(expected.get(file))
  })

  test.each(files.filter((file) => listedAsMissing(textOf(file)).size > 0))(
    'counts missing residues of %s as REMARK 465 does',
    (file) => {
      const text = textOf(file)
      expect(countedAsMissing(text)).not.toEqual([])
      expect(countedAsMissing(text)).toEqual(missingByRemark(text))
    },
  )

  test.each(comparableRows())('$file has the residues and chains of the manifest', (row) => {
    const chains = reportOf(textOf(row.file))?.chains ?? []
    const residues = chains.reduce((sum, chain) => sum + chain.residues, 0)
    expect(chains.length).toBe(row.chains)
    expect(residues).toBe(row.residues + modifiedCount(row.file))
  })
})

/** Missing residues as counted by the reader: per chain, in total and per gap. */
function countedAsMissing(text: string) {
  return (reportOf(text)?.chains ?? []).map(({ id, missing, gaps }) => {
    return { id, missing, gaps: gaps.map((gap) => gap.missing) }
  })
}

/** The same from REMARK 465, for the chains and gaps that the reader found. */
function missingByRemark(text: string) {
  const listed = listedAsMissing(text)
  return (reportOf(text)?.chains ?? []).map(({ id, gaps }) => {
    const numbers = listed.get(id) ?? []
    const inGaps = gaps.map((gap) => numbersBetween(numbers, gap).length)
    return { id, missing: numbers.length, gaps: inGaps }
  })
}

/** The manifest counts every residue name of ATOM records, this reader only those with an alpha carbon. */
const countedOtherwise: Record<string, string> = {
  'a_structure.pdb': 'a terminal CYS 0 of one nitrogen atom counts there and is left out here',
}

function comparableRows(): ManifestRow[] {
  return manifestRows().filter(
    ({ file }) => reportOf(textOf(file)) !== null && !(file in countedOtherwise),
  )
}

/** Modified residues are in HETATM records, which the manifest does not count. */
function modifiedCount(file: string): number {
  const read = readStructure(textOf(file))
  const residues = read.ok ? read.value.chains.flatMap((chain) => chain.residues) : []
  return residues.filter((residue) => residue.name !== residue.parent).length
}

function textOf(file: string): string {
  return readFileSync(`${collection}/${file}`, 'latin1')
}

function answerFor(text: string): string[] {
  const read = readStructure(text)
  return read.ok ? rendered(reportTarget(read.value)) : [`refused ${read.reason}`]
}

function reportOf(text: string): ReportedTarget | null {
  const read = readStructure(text)
  return read.ok ? reportTarget(read.value) : null
}

function rendered(report: ReportedTarget): string[] {
  return [
    ...report.chains.map(renderedChain),
    ...report.mapped.map(({ from, to, count }) => `mapped ${from} to ${to}, ${count}`),
    ...report.dropped.map((words) => `dropped ${words}`),
    ...report.warnings.map((sentence) => `warning ${sentence}`),
  ]
}

function renderedChain({ id, kind, residues, missing, gaps }: ReportedChain): string {
  const breaks = gaps.map((gap) => `, ${gap.after} to ${gap.before} ${gap.missing ?? 'unknown'}`)
  return `chain ${id} ${kind} ${residues}, missing ${missing ?? 'unknown'}${breaks.join('')}`
}

/** File names start at the margin, results are indented, comments begin with a number sign. */
function expectedAnswers(): Map<string, string[]> {
  const answers = new Map<string, string[]>()
  let lines: string[] = []
  const text = readFileSync(new URL('fixtures/structures.txt', import.meta.url), 'utf8')
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    if (line.startsWith('  ')) lines.push(line.trim())
    else answers.set(line, (lines = []))
  }
  return answers
}

/** Residue numbers of REMARK 465 by chain; for NMR files those of the first model. */
function listedAsMissing(text: string): Map<string, number[]> {
  const numbers = new Map<string, number[]>()
  const row = /^REMARK 465\s+(?:1 +)?[A-Z0-9]{1,3} (\w)\s+(-?\d+)[A-Z]?\s*$/gm
  for (const [, chain = '', number = ''] of text.matchAll(row)) {
    numbers.set(chain, [...(numbers.get(chain) ?? []), Number(number)])
  }
  return numbers
}

function numbersBetween(
  numbers: readonly number[],
  gap: { after: string; before: string },
): number[] {
  const [from = 0, to = 0] = [gap.after, gap.before].map((label) => Number.parseInt(label.slice(4)))
  return numbers.filter((number) => number >= from && number <= to)
}

type ManifestRow = { file: string; residues: number; chains: number }

function manifestRows(): ManifestRow[] {
  if (shared === '') return []
  const rows = readFileSync(`${collection}/manifest.tsv`, 'utf8').trim().split('\n').slice(1)
  return rows.map((row) => {
    const cells = row.split('\t')
    return { file: cells[0] ?? '', residues: Number(cells[6]), chains: Number(cells[7]) }
  })
}
