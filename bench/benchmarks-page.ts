/** The page of docs/benchmarks.md: a row for each figure, with the day on which it was measured. */
import { cpus, totalmem } from 'node:os'

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
    'Written by `npm run bench`; `npm run bench -- NAME... --record` replaces the rows of these benchmarks. A ratio below 1 is within the limit, or faster than the reference in the same run.',
    '',
    `Measured on ${cpus().length} cores (${processor?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}.`,
    '',
    '| figure | measured | against | ratio | date |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function rowsOf(page: string): string[] {
  return page.split('\n').filter((line) => /^\| (?!figure \|)/.test(line))
}

function nameOf(row: string): string {
  return row.split(' | ')[0] ?? ''
}
