import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'

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
  ['a.xlsx', Buffer.from('PK\u0003\u0004'), 'a.xlsx cannot be read: This is not an Excel workbook'],
  ['a.smi', Buffer.from([67, 67, 0, 1, 2]), 'contains binary data'],
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

test('npm run predict reads the selected sheet of a workbook from a pipe', () => {
  const sheet =
    '<worksheet><sheetData><row><c t="s"><v>0</v></c></row><row><c t="s"><v>1</v></c></row>'
  const book = zipSync({
    'xl/sharedStrings.xml': strToU8('<sst><si><t>SMILES</t></si><si><t>CCO</t></si></sst>'),
    'xl/worksheets/sheet1.xml': strToU8('<worksheet/>'),
    'xl/worksheets/sheet2.xml': strToU8(`${sheet}</sheetData></worksheet>`),
  })
  const args = [predictMain, '--target', sample, '--compounds', '-', '--quiet']
  const call = (...more: string[]) =>
    spawnSync(process.execPath, [...args, ...more], {
      env: { PATH: process.env['PATH'] },
      encoding: 'utf8',
      input: book,
    })
  const refused = call()
  expect(refused).toMatchObject({ status: 2, stdout: '' })
  expect(refused.stderr.trim()).toBe(
    'Standard input has 2 sheets. Choose one with --sheet: "Sheet 1", "Sheet 2".',
  )
  const { status, stdout } = call('--sheet', 'Sheet 2')
  expect(status).toBe(0)
  expect(stdout.split('\r\n')[1]).toMatch(/^1,row 1,CCO,1hpv,/)
})

test('SPEC 32.2: npm run predict writes properties, alerts and both efficiencies, computed from each row', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pkdex-predict-'))
  const compounds = join(folder, 'a.csv')
  writeFileSync(compounds, 'name,smiles\naspirin,CC(=O)Oc1ccccc1C(=O)O\nbroken,C1CC\n')
  const args = [predictMain, '--target', sample, '--compounds', compounds, '--quiet', '--json']
  const run = spawnSync(process.execPath, args, {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(run).toMatchObject({ status: 3, stderr: '' })
  const [aspirin, broken] = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(aspirin).toMatchObject({
    mass: expect.closeTo(180.16, 1),
    heavy_atoms: 13,
    donors: 1,
    rings: 1,
    charge: 0,
    alerts: ['Brenk phenol ester'],
  })
  const { predicted_kd: pkd, log_p: logP } = aspirin
  expect(aspirin.ligand_efficiency).toBeCloseTo((1.37 * pkd) / 13, 2)
  expect(aspirin.lipophilic_efficiency).toBeCloseTo(pkd - logP, 2)
  expect(broken).not.toHaveProperty('mass')
  expect(broken).not.toHaveProperty('ligand_efficiency')
  expect(broken.alerts).toBeNull()
})
