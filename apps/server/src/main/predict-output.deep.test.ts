import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'

test('SPEC 28.4: npm run predict leaves an existing --out file alone when a structure cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pkdex-predict-'))
  const file = (name: string) => join(folder, name)
  writeFileSync(file('old.csv'), 'keep')
  writeFileSync(file('a.smi'), 'CCO ethanol\n')
  writeFileSync(file('bad.pdb'), 'not a structure')
  const main = fileURLToPath(new URL('predict.ts', import.meta.url))
  const args = ['--target', file('bad.pdb'), '--compounds', file('a.smi'), '--out', file('old.csv')]
  const { status } = spawnSync(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'] },
  })
  expect(status).toBe(2)
  expect(readFileSync(file('old.csv'), 'utf8')).toBe('keep')
  expect(readdirSync(folder).toSorted()).toEqual(['a.smi', 'bad.pdb', 'old.csv'])
  rmSync(folder, { recursive: true })
})

const predictMain = fileURLToPath(new URL('predict.ts', import.meta.url))
const sample = fileURLToPath(new URL('../../../../samples/1hpv.pdb', import.meta.url))

test.each([
  ['cut.csv.gz', gzipSync('smiles\nCCO\n').subarray(0, 20), 'This gzip archive is damaged'],
  ['nowhere.csv', null, 'There is no file or folder'],
])('npm run predict exits with code 2 and one sentence for %s', (name, bytes, sentence) => {
  const folder = mkdtempSync(join(tmpdir(), 'pkdex-predict-'))
  const compounds = join(folder, name)
  if (bytes !== null) writeFileSync(compounds, bytes)
  const args = [predictMain, '--target', sample, '--compounds', compounds]
  const run = spawnSync(process.execPath, args, {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toContain(sentence)
  expect(run.stderr.trim().split('\n')).toHaveLength(1)
})

const atom = (symbol: string, x: number) =>
  `${x.toFixed(4).padStart(10)}    0.0000    0.0000 ${symbol}   0  0`
const ethanol = [
  'ethanol',
  '  test',
  '',
  '  3  2  0  0  0  0  0  0  0  0999 V2000',
  atom('C', 0),
  atom('C', 1.3),
  atom('O', 2.6),
  '  1  2  1  0',
  '  2  3  1  0',
  'M  END',
  '> 25 <IC50> (1)',
  '12.5',
  '',
  '> <Note>',
  'first',
  'second',
  '',
  '$$$$',
]
const broken = ['broken', '', '', 'no molecule', 'M  END', '$$$$']

test('npm run predict reads a compressed SD file: every record is a row with its fields', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pkdex-predict-'))
  const compounds = join(folder, 'packed.sdf.gz')
  writeFileSync(compounds, gzipSync([...ethanol, ...broken, ''].join('\r\n')))
  const args = [predictMain, '--target', sample, '--compounds', compounds, '--quiet']
  const run = spawnSync(process.execPath, args, {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(run.status).toBe(3)
  const [heading = '', first = '', ...others] = run.stdout.split('\r\n')
  expect(heading).toMatch(
    /^IC50,Note,row,compound,smiles,.*,pKd,Lower 95%,Upper 95%,pKd \(sequence\),.*,Model version$/,
  )
  expect(first).toMatch(/^12\.5,"first\nsecond",1,ethanol,CCO,1hpv,/)
  expect(others.join()).toMatch(/^,,2,broken,/)
})

test('SPEC 28.10: npm run predict, killed in the middle, continues and writes what an undisturbed run writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pkdex-predict-'))
  const file = (name: string) => join(folder, name)
  const lines = Array.from({ length: 1500 }, (_, at) =>
    at % 300 === 7
      ? 'c1cc'
      : `${'C'.repeat(1 + (at % 15))}N${'C'.repeat(Math.floor(at / 15) % 10)}O${'C'.repeat(Math.floor(at / 150))}`,
  )
  writeFileSync(file('a.smi'), lines.join('\n'))
  const args = [predictMain, '--target', sample, '--compounds', file('a.smi'), '--out']
  const env = { PATH: process.env['PATH'] }

  const killed = spawn(process.execPath, [...args, file('out.csv')], { env })
  await vi.waitFor(() => expect(noted(file('out.csv'))).toBeGreaterThan(0), { timeout: 30_000 })
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const kept = noted(file('out.csv'))
  expect(kept).toBeLessThan(lines.length)

  const again = spawnSync(process.execPath, [...args, file('out.csv')], { env, encoding: 'utf8' })
  expect(again.status).toBe(3)
  expect(again.stderr).toContain(`Continuing after ${kept.toLocaleString('en')} compounds.`)
  expect(again.stderr).toContain('5 rows without a prediction.')
  spawnSync(process.execPath, [...args, file('whole.csv')], { env })
  expect(readFileSync(file('out.csv'), 'utf8')).toBe(readFileSync(file('whole.csv'), 'utf8'))
  expect(readdirSync(folder).toSorted()).toEqual(['a.smi', 'out.csv', 'whole.csv'])
  rmSync(folder, { recursive: true })
})

/** Compounds that a killed command has noted; 0 without a note. */
function noted(out: string): number {
  const note = `${out}.pkdex-partial.json`
  return existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')).compounds : 0
}
