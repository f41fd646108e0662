/** `docs/columns.md` is written from the list of columns: `npx vitest run --project=tools columns -u`. */
import { columns } from '@pkdex/contract'
import { expect, test } from 'vitest'

type Column = { about: string; heading?: string; only?: string; of: string }

function page(): string {
  const rows = Object.entries<Column>(columns).map(([name, { heading = name, about, only, of }]) =>
    ['', `\`${name}\``, only === 'rows' ? '–' : heading, of, about, ''].join(' | ').trim(),
  )
  return [
    '# Columns of results',
    '',
    'Each field of a row of results (`GET /screens/:id/results`), and its heading in files, where they are in this order. Columns of a screen with structure, of a profile and of a run are only in files that have them. A heading of `–`: not in files. Written from [`columns.ts`](../packages/contract/src/columns.ts).',
    '',
    '| field | heading in files | of | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

test('the page of columns is up to date', async () => {
  await expect(page()).toMatchFileSnapshot('../docs/columns.md')
})
