/** The page of docs/benchmarks.md: a row for each figure, with the day on which it was measured. */
import { cpus, totalmem } from 'node:os'

/** Measured by a journey, not by `npm run bench`. */
const CSV_TO_MAKE_LIST =
  'A new user gets from a CSV of 300 published compounds, 20 of them measured, to a make list of five suggestions with reasons in 21 s in a real browser (2026-11-25; 54.5 s at load 18). The journey `e2e/next-from-csv.spec.ts` prints its time and fails above 180 s.'

/** Rows of `page` with those of `rows` in their places, by the name of the figure; new ones follow. */
export function replaceRows(page: string, rows: string[]): string {
  const known = new Map(rowsOf(page).map((row) => [nameOf(row), row]))
  for (const row of rows) known.set(nameOf(row), row)
  return pageOf([...known.values()])
}

export function pageOf(rows: string[]): string {
  const [processor] = cpus()
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench`; `npm run bench -- NAME... --record` replaces the rows of these benchmarks. A reference is measured in the same run.',
    '',
    `Measured on ${cpus().length} cores (${processor?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}.`,
    '',
    '| figure | measured | limit, goal or reference | date |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## From a CSV to a make list',
    '',
    CSV_TO_MAKE_LIST,
    '',
  ].join('\n')
}

function rowsOf(page: string): string[] {
  return page.split('\n').filter((line) => /^\| (?!figure \|)/.test(line))
}

function nameOf(row: string): string {
  return row.split(' | ')[0] ?? ''
}
