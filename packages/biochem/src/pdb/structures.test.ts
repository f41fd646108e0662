/**
 * Every real structure file gets the answer that was written down for it in fixtures/structures.txt,
 * and agrees with what independent sources say of it. Needs the folder that PKDEX_SHARED names.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readStructure } from './read-structure.ts'
import { reportTarget, type ReportedChain, type ReportedTarget } from './report-target.ts'

const shared = process.env['PKDEX_SHARED'] ?? ''
const folder = `${shared}/structures`
const isThere = shared !== '' && existsSync(folder)
const files = isThere ? readdirSync(folder).filter((file) => !file.endsWith('.tsv')) : []
const expected = expectedAnswers()

describe.skipIf(!isThere)('real structures (PKDEX_SHARED names their folder)', () => {
  test('every file has an expected answer, and every expected answer a file', () => {
    expect(files.toSorted()).toEqual([...expected.keys()].toSorted())
  })

  test.each(files)('gives %s its expected answer', (file) => {
    expect(answerFor(file)).toEqual(expected.get(file))
  })

  test.each(files.filter(hasMissing))('counts the missing residues of %s as REMARK 465', (file) => {
    const listed = listedAsMissing(textOf(file))
    for (const chain of reportOf(file)?.chains ?? []) {
      const numbers = listed.get(chain.id) ?? []
      expect([chain.id, chain.missing]).toEqual([chain.id, numbers.length])
      for (const gap of chain.gaps) expect(gap.missing).toBe(numbersBetween(numbers, gap).length)
    }
  })

  test.each(comparableRows())('$file has the residues and chains of the manifest', (row) => {
    const chains = reportOf(row.file)?.chains ?? []
    const residues = chains.reduce((sum, chain) => sum + chain.residues, 0)
    expect(chains.length).toBe(row.chains)
    expect(residues).toBe(row.residues + modifiedCount(row.file))
  })
})

/** The manifest counts every residue name of ATOM records, this reader only those with an alpha carbon. */
const countedOtherwise: Record<string, string> = {
  'a_structure.pdb': 'a terminal CYS 0 of one nitrogen atom counts there and is left out here',
}

function comparableRows(): ManifestRow[] {
  return manifestRows().filter(({ file }) => reportOf(file) !== null && !(file in countedOtherwise))
}

/** Modified residues stand in HETATM records, which the manifest does not count. */
function modifiedCount(file: string): number {
  const read = readStructure(textOf(file))
  const residues = read.ok ? read.value.chains.flatMap((chain) => chain.residues) : []
  return residues.filter((residue) => residue.name !== residue.parent).length
}

function textOf(file: string): string {
  return readFileSync(`${folder}/${file}`, 'latin1')
}

function hasMissing(file: string): boolean {
  return listedAsMissing(textOf(file)).size > 0
}

function answerFor(file: string): string[] {
  const read = readStructure(textOf(file))
  return read.ok ? rendered(reportTarget(read.value)) : [`refused ${read.reason}`]
}

function reportOf(file: string): ReportedTarget | null {
  const read = readStructure(textOf(file))
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

/** File names stand at the margin, answers are indented, remarks begin with a number sign. */
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

/** Residue numbers of REMARK 465 by chain; of an NMR file those of its first model. */
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
  if (!isThere) return []
  const rows = readFileSync(`${folder}/manifest.tsv`, 'utf8').trim().split('\n').slice(1)
  return rows.map((row) => {
    const cells = row.split('\t')
    return { file: cells[0] ?? '', residues: Number(cells[6]), chains: Number(cells[7]) }
  })
}
