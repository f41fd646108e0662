import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsTable } from './settings.ts'

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8')

test('SPEC 27.7: the README lists every setting with its default and its meaning, and no other', () => {
  const wanted = settingsTable.map(
    ({ name, default: value, meaning }) =>
      `| \`${name}\` | ${value === '' ? 'unset' : `\`${value}\``} | ${meaning} |`,
  )
  const listed = readme.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line))
  expect(listed).toEqual(wanted)
})
