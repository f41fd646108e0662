/** The command as a user runs it, on a real structure and the real model. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/main/settings.ts'
import { openPredictor } from '#server/inference/service.ts'
import { chainSegments, readStructure } from '@pkdex/biochem'
import { openOfflinePredictor, type PredictedRow } from './service.ts'

const repository = new URL('../../../../', import.meta.url)
const protease = fileURLToPath(new URL('samples/1hpv.pdb', repository))
const { modelDir } = readConfig()
const drugs = ['CC(=O)Oc1ccccc1C(=O)O', 'c1cc', '', 'OCC', 'CN1C=NC2=C1C(=O)N(C(=O)N2C)C']
const compounds = Array.from({ length: 150 }, (_, at) => ({
  smiles: drugs[at % drugs.length] ?? '',
  name: `drug ${at}`,
  own: {},
}))

const predictor = await openOfflinePredictor(modelDir)
afterAll(() => predictor?.close())

test('SPEC 28.1: every input row is returned in order, each with a prediction or a reason', async () => {
  const targets = [{ name: '1hpv', bytes: await readFile(protease) }]
  const rows: PredictedRow[] = []
  for await (const page of predictor.predict({ targets, compounds })) rows.push(...page)
  expect(rows.map(({ row }) => row)).toEqual(compounds.map((_, at) => at + 1))
  expect(rows.slice(0, 5).map(({ reason }) => reason)).toEqual([
    null,
    expect.stringContaining('never closed'),
    'This row has no SMILES.',
    null,
    null,
  ])
  expect(rows.slice(5, 10)).toEqual(
    rows.slice(0, 5).map((row, at) => ({ ...row, row: at + 6, compound: `drug ${at + 5}` })),
  )
})

test('SPEC 28.2: the predictions are those of the server', async () => {
  const bytes = await readFile(protease)
  const target = {
    targets: [{ name: '1hpv', bytes }],
    chain: 'B',
    compounds: compounds.slice(0, 1),
  }
  const { value: [row] = [] } = await predictor.predict(target).next()
  const product = await openPredictor({ modelDirectory: modelDir, threads: 1 })
  const segments = chainB(bytes)
  const [outcome] = await product.predict([{ segments, smiles: drugs[0] ?? '' }])
  await product.close()
  if (outcome?.ok !== true) throw new Error('the product gave no number')
  expect(row).toMatchObject({ chain: 'B', smiles: drugs[0] })
  expect(row?.predicted_kd).toBeCloseTo(outcome.result.predicted_kd, 2)
  expect(row?.lower).toBeCloseTo(outcome.result.interval.lower, 2)
})

test('an unknown chain is named, with the existing ones', async () => {
  const targets = [{ name: '1hpv', bytes: await readFile(protease) }]
  await expect(predictor.predict({ targets, chain: 'Z', compounds }).next()).rejects.toThrow(
    '1hpv has no protein chain Z. It has A, B.',
  )
})

test('SPEC 28.3: the command reads a pipe, writes CSV with the table’s columns, and ends with code 3 if a row has no prediction', async () => {
  const run = await runCommand(
    ['--target', protease, '--compounds', '-', '--quiet'],
    'ID,SMILES,mine,target,chain,IC50,IC50\na,CCO,7,HIV,x,12,14\nb,x,8,HIV,x,1,2\n',
  )
  expect(run.code).toBe(3)
  const [heading, first, second] = run.out.split('\r\n')
  // Own columns with the name of a result, or of each other, are all kept.
  expect(heading).toMatch(/^ID,mine,target \(input\),chain \(input\),IC50,IC50 \(2\),row,/)
  expect(first).toMatch(/^a,7,HIV,x,12,14,1,a,/)
  expect(second).toMatch(/^b,8,HIV,x,1,2,2,b,x,1hpv,A,,,,/)
  expect(run.err).toBe('')
})

test('SPEC 28.9, 32.2: properties, efficiencies, own alerts from a file and the probability of meeting a profile are columns', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pkdex-predict-'))
  const alerts = join(folder, 'own.txt')
  const options = ['--target', protease, '--compounds', '-', '--quiet', '--alerts', alerts]
  const input = 'CC(=O)Oc1ccccc1C(=O)O aspirin\nCCO ethanol\nc1cc broken\n'
  await writeFile(alerts, 'C(=O)[OX2H1] carboxylic acid\n\n')
  const run = await runCommand([...options, '--profile', 'pkd:3..;mass:..100', '--json'], input)
  expect(run.code).toBe(3)
  const [aspirin, ethanol, broken] = run.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(aspirin).toMatchObject({
    mass: expect.closeTo(180.16, 1),
    heavy_atoms: 13,
    donors: 1,
    rings: 1,
    charge: 0,
    alerts: ['Brenk phenol ester', 'carboxylic acid'],
  })
  const { predicted_kd: pkd, log_p: logP } = aspirin
  expect(aspirin.ligand_efficiency).toBeCloseTo((1.37 * pkd) / 13, 2)
  expect(aspirin.lipophilic_efficiency).toBeCloseTo(pkd - logP, 2)
  expect(ethanol.alerts).toEqual([])
  expect(aspirin.profile_probability).toBe(0)
  expect(ethanol.profile_probability).toBeGreaterThan(0)
  expect(ethanol.profile_probability).toBeLessThan(1)
  expect(ethanol.profile_lower).toBeLessThanOrEqual(ethanol.profile_probability)
  expect(broken).not.toHaveProperty('mass')
  expect(broken).not.toHaveProperty('ligand_efficiency')
  expect(broken).toMatchObject({ alerts: null, profile_probability: null })

  await writeFile(alerts, 'CO ether\nc1ccc ring\n')
  expect(await runCommand(options, input)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^Pattern 2, "ring": .+/),
  })
  const wrong = await runCommand(['--target', protease, '--compounds', '-', '--profile', 'pkd'])
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('"pkd" is not a profile') })
  await rm(folder, { recursive: true })
})

test('an invalid command exits with 2 and says why', async () => {
  expect(await runCommand([])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--target and --compounds are required'),
  })
  const nowhere = await runCommand(['--target', 'nowhere.pdb', '--compounds', '-'], 'CCO a\n')
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('nowhere.pdb') })
})

async function runCommand(options: string[], input = '') {
  const entry = fileURLToPath(new URL('apps/server/src/main/predict.ts', repository))
  const child = spawn(process.execPath, [entry, ...options], {
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  // A command that exits immediately does not read its input.
  child.stdin.on('error', () => undefined).end(input)
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { out, err, code }
}

function chainB(bytes: Uint8Array): string[] {
  const structure = readStructure(new TextDecoder().decode(bytes))
  const chain = structure.ok ? structure.value.chains.find(({ id }) => id === 'B') : undefined
  if (chain === undefined) throw new Error('no chain B')
  return chainSegments(chain)
}
