/** The arguments of `npm run bench`. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pageOf, replaceRows } from '../bench/benchmarks-page.ts'

const script = fileURLToPath(new URL('../bench/run.ts', import.meta.url))

function bench(...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options])
  return { status, said: stdout.toString() + stderr.toString() }
}

test('`npm run bench -- --help` lists the benchmarks and runs none', () => {
  const { status, said } = bench('--help')
  expect(said).toMatch(
    /^npm run bench \[-- NAME\.\.\. \[--record\]\]; .*\bmodel, .*\bpeers, .*\bscreens\b/,
  )
  expect(status).toBe(0)
}, 60_000)

test('a benchmark that does not exist is named, and the run fails', () => {
  const { status, said } = bench('speed')
  expect(said).toMatch(/^Unknown benchmark: speed\.\nnpm run bench /)
  expect(status).toBe(1)
}, 60_000)

test('rows measured again replace those of the same figure; others keep their place and date', () => {
  const row = (name: string, date: string) => `| ${name} | 1 ms | 2 ms | ${date} |`
  const old = pageOf([row('read', '2026-01-01'), row('draw', '2026-01-01')])
  const page = replaceRows(old, [row('draw', '2026-02-02'), row('search', '2026-02-02')])
  expect(page).toBe(
    pageOf([row('read', '2026-01-01'), row('draw', '2026-02-02'), row('search', '2026-02-02')]),
  )
})
