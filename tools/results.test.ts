/** The last line decides whether a change is merged: a run with failures or skipped tests must never look clean. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRows } from './spec.mjs'

const script = fileURLToPath(new URL('results.mjs', import.meta.url))
const rows = readRows().map(({ id }) => id)
const all = rows.map((id) => testcase(`SPEC ${id}: holds`)).join('')

function testcase(name: string, content = ''): string {
  return `<testcase classname="a.test.ts" name="${name}" time="0.5">${content}</testcase>`
}

function close(cases: string, ...options: string[]) {
  const reports = mkdtempSync(join(tmpdir(), 'pkdex-results-'))
  writeFileSync(join(reports, 'units.xml'), `<testsuites>${cases}</testsuites>`)
  const env = { ...process.env, PKDEX_REPORTS: reports }
  const { status, stdout } = spawnSync(process.execPath, [script, ...options], { env })
  const lines = stdout.toString().trimEnd().split('\n')
  return { status, last: lines.at(-1), said: lines.filter((line) => /^[A-Z]+:/.test(line)) }
}

test('a run that proves every row passes', () => {
  expect(close(all, '--ci')).toEqual({
    status: 0,
    last: `${rows.length} passed, 0 failed`,
    said: [],
  })
})

test.each([
  [
    'a failed test',
    testcase('it works', '<failure message="no">at b</failure>'),
    [],
    'a.test.ts: it works',
  ],
  ['a failed step', '', ['npm run check'], 'step: npm run check'],
  [
    'a skipped test without a reason',
    testcase('it waits', '<skipped/>'),
    [],
    'skipped: a.test.ts: it waits',
  ],
])('%s fails the run and is listed', (_, more, steps, named) => {
  const { status, last, said } = close(all + more, '--ci', ...steps)
  expect(status).toBe(1)
  expect(last).toBe(`${rows.length} passed, 1 failed`)
  expect(said).toContain(`FAILED: ${named}`)
})

test('a test that one suite skips and another runs is not skipped', () => {
  expect(close(testcase(`SPEC ${rows[0]}: holds`, '<skipped/>') + all, '--ci').status).toBe(0)
})

test('a row whose only test was skipped or failed is not proved, and an empty run fails', () => {
  const [first = '', ...others] = rows
  const without = others.map((id) => testcase(`SPEC ${id}: holds`)).join('')
  const { status, said } = close(without + testcase(`SPEC ${first}: holds`, '<skipped/>'), '--ci')
  expect(status).toBe(1)
  expect(said.join()).toContain(`no test that passed names SPEC ${first}:`)
  expect(close('').status).toBe(1)
})
