import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsTable } from './settings.ts'

const page = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')

test('SPEC 27.7: docs/operations.md lists every setting with its default and its meaning, and no other', () => {
  const wanted = settingsTable.map(
    ({ name, default: value, meaning }) =>
      `| \`${name}\` | ${value === '' ? 'unset' : `\`${value}\``} | ${meaning} |`,
  )
  const listed = page.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line))
  expect(listed).toEqual(wanted)
})
