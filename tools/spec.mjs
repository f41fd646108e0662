// npm run spec: prints which test files cite which row of docs/specification.md (`SPEC 4.6, 9.1: …` in a title), and
// fails if a row has no test or a test cites an unknown row. With --check it prints only the problems.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './prepare.mjs'

/** `needsPostgres`: only a PostgreSQL server can prove it. */
export function readRows() {
  const text = readFileSync(join(root, 'docs/specification.md'), 'utf8')
  return [...text.matchAll(/^- (\d+\.\d+) (.+)$/gm)].map(([, id, rule]) => ({
    id,
    rule,
    needsPostgres: rule.endsWith('*(PostgreSQL)*'),
  }))
}

/** The rows that a title cites. */
export function idsOf(text) {
  return [...text.matchAll(/SPEC ((?:\d+\.\d+(?:, )?)+)/g)].flatMap(
    (match) => match[1].match(/\d+\.\d+/g) ?? [],
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = readRows()
  const known = rows.map(({ id }) => id)
  const files = globSync('{apps,packages,e2e,tools}/**/*.{test,spec}.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', 'tools/results.test.ts'],
  }).toSorted()
  const citations = files.flatMap((file) =>
    idsOf(readFileSync(join(root, file), 'utf8')).map((id) => ({ file, id })),
  )
  const filesOf = (row) => new Set(citations.filter(({ id }) => id === row).map(({ file }) => file))
  if (!process.argv.includes('--check')) {
    const lines = rows.map(({ id, rule }) => `${id} ${rule}\n    ${[...filesOf(id)].join(', ')}`)
    console.log(lines.join('\n'))
  }
  const complaints = [
    ...rows.filter(({ id }) => filesOf(id).size === 0).map(({ id }) => `SPEC ${id} has no test`),
    ...known.filter((id, at) => known.indexOf(id) !== at).map((id) => `SPEC ${id} appears twice`),
    ...citations
      .filter(({ id }) => !known.includes(id))
      .map(({ file, id }) => `${file} names SPEC ${id}, which is not a row`),
  ]
  const repeated = rows.filter(({ id }) => filesOf(id).size >= 3).map(({ id }) => id)
  console.log(`${repeated.length} rows are proven in three or more files: ${repeated.join(', ')}`)
  for (const complaint of complaints) console.error(complaint)
  process.exit(complaints.length === 0 ? 0 : 1)
}
