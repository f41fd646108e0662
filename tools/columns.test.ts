/** `docs/columns.md` is written from the list of columns: `npx vitest run --project=tools columns -u`. */
import { columns, type ColumnName, describeColumn, sortOf } from '@pkdex/contract'
import { expect, test } from 'vitest'

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

function lineOf(name: ColumnName): string {
  const { heading, only, of, about, filters = [] } = describeColumn(name)
  const isProperty = of === 'property' || of === 'efficiency'
  const bounds = isProperty ? [`${name}_min`, `${name}_max`] : []
  const cells = [
    code([name]),
    only === 'rows' ? '–' : only === 'files' ? `${heading} (only in files)` : heading,
    of,
    code([sortOf(name) ?? []].flat()),
    code([...filters, ...bounds]),
    about,
  ]
  return `| ${cells.join(' | ')} |`
}

function page(): string {
  return [
    '# Columns of results',
    '',
    'Each field of a row of results (`GET /screens/:id/results`), its heading in files, where they are in this order, and what it is sorted and filtered by. Columns of a screen with structure, of a profile and of a run are only in files that have them. A heading of `–`: not in files. Written from [`columns.ts`](../packages/contract/src/columns.ts).',
    '',
    '| field | heading in files | of | `sort` | filters | meaning |',
    '|---|---|---|---|---|---|',
    ...(Object.keys(columns) as ColumnName[]).map(lineOf),
    '',
  ].join('\n')
}

test('the page of columns is up to date', async () => {
  await expect(page()).toMatchFileSnapshot('../docs/columns.md')
})
