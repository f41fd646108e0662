/** The model's runtime writes and sends nothing besides its results. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

test('running the model writes no log and no machine identifier', { timeout: 120_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'pkdex-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  // The runtime is silent in CI and in tests; a user's machine looks like neither.
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      here('../main/predict.ts'),
      '--target',
      here('../../../../samples/1hpv.pdb'),
      '--compounds',
      here('../../../../samples/compounds.txt'),
      '--out',
      '-',
    ],
    {
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, NODE_NO_WARNINGS: '1' },
      encoding: 'utf8',
    },
  )
  expect({ status, stderr }).toMatchObject({ status: 0 })
  expect(stdout).toContain('amprenavir')
  expect(readdirSync(home, { recursive: true })).toEqual([])
})
