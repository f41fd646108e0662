/** What `npm run bench` takes is asked for, not guessed. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../bench/run.ts', import.meta.url))

function bench(...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options])
  return { status, said: stdout.toString() + stderr.toString() }
}

test('`npm run bench -- --help` lists the benchmarks and runs none', () => {
  const { status, said } = bench('--help')
  expect(said).toMatch(/^npm run bench \[-- NAME\.\.\.\]; .*\bmodel, .*\bpeers, .*\bscreens\b/)
  expect(status).toBe(0)
}, 60_000)

test('a benchmark that does not exist is named, and the run fails', () => {
  const { status, said } = bench('speed')
  expect(said).toMatch(/^Unknown benchmark: speed\.\nnpm run bench /)
  expect(status).toBe(1)
}, 60_000)
