/** An unchanged receipt is reproduced; any change to it or to its inputs is detected. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  chainSegments,
  featureSpec,
  featureSpecHash,
  longestProteinChain,
  openRdkit,
  readStructure,
  standardise,
} from '@pkdex/biochem'
import { Receipt } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
// oxlint-disable-next-line no-restricted-imports -- the receipt is written as the server writes it
import { writeReceipt } from '../apps/server/src/evidence/receipt.ts'
// oxlint-disable-next-line no-restricted-imports -- the prediction is the model's
import { readModelIdentity } from '../apps/server/src/inference/model-card.ts'
// oxlint-disable-next-line no-restricted-imports -- the same
import { openModel } from '../apps/server/src/inference/open-model.ts'
import { runVerification, verifyReceipt } from './verify-receipt.ts'

const directory = fileURLToPath(new URL('../models/current', import.meta.url))
const structureFile = fileURLToPath(new URL('../samples/1hpv.pdb', import.meta.url))
const amprenavir = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)O)S(=O)(=O)c1ccc(cc1)N'

const rdkit = await openRdkit()
const model = await openModel({ directory, rdkit })
const structure = await readFile(structureFile)
const scratch = await mkdtemp(join(tmpdir(), 'pkdex-receipt-'))
const read = readStructure(structure.toString())
const chain = read.ok ? longestProteinChain(read.value) : null
const standard = standardise(rdkit, amprenavir)
if (chain === null || !standard.ok) throw new Error('the sample cannot be read')
const pair = { segments: chainSegments(chain), smiles: standard.standardSmiles }
// In a batch, as on the server.
const [result] = await model.predict([pair, { ...pair, smiles: 'CCO' }, { ...pair, smiles: 'CCN' }])
if (result === undefined) throw new Error('no number')
const contentSha256 = createHash('sha256').update(structure).digest('hex')
const file = { id: '1', filename: '1hpv.pdb', contentSha256 }
const target = { name: '1hpv', chain: chain.id, key: Buffer.alloc(0), file }
const compound = { name: 'amprenavir', smiles: amprenavir }
const predictedAt = new Date()
const identity = await readModelIdentity(directory)
const receipt = writeReceipt({ target, compound, pair, predictedAt }, result, identity)
afterAll(() => rm(scratch, { recursive: true }))

test('a receipt lists model, features and inputs', () => {
  expect(Receipt.parse(receipt)).toEqual(receipt)
  expect(receipt.features).toEqual({ version: featureSpec.version, hash: featureSpecHash })
  expect(receipt.model.card_sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('SPEC 22.4: a prediction is reproduced from its receipt and from the inputs', async () => {
  const inputs = {
    target: structure,
    compound: 'NC1=CC=C(C=C1)S(=O)(=O)N(CC(C)C)C[C@@H](O)[C@H](CC1=CC=CC=C1)NC(=O)O[C@H]1CCOC1',
  }
  for (const given of [{}, inputs]) {
    expect(await verifyReceipt(receipt, given, model)).toMatchObject({ exitCode: 0 })
  }
})

/** With four decimals, as a receipt has. */
function moved(number: number, by: number): number {
  return Number((number + by).toFixed(4))
}

test('changing the last digit of the prediction or its interval is detected', async () => {
  const { predicted_kd, interval } = receipt
  const altered = [
    { ...receipt, predicted_kd: moved(predicted_kd, 0.0001) },
    { ...receipt, predicted_kd: moved(predicted_kd, -0.0001) },
    { ...receipt, interval: { ...interval, lower: moved(interval.lower, 0.0001) } },
    { ...receipt, interval: { ...interval, upper: moved(interval.upper, -0.0001) } },
  ]
  for (const one of altered) {
    expect(await verifyReceipt(one, {}, model)).toMatchObject({ exitCode: 1 })
  }
})

test('a last digit is compared exactly, also where the number is almost halfway between two', async () => {
  const halfway = {
    ...result,
    predicted_kd: 8.28294,
    interval: { ...result.interval, lower: 7.192147 },
  }
  const written = writeReceipt({ target, compound, pair, predictedAt }, halfway, identity)
  const same = { predict: () => Promise.resolve([halfway]) }
  expect(await verifyReceipt(written, {}, same)).toMatchObject({ exitCode: 0 })
  const { interval } = written
  const altered = { ...written, interval: { ...interval, lower: moved(interval.lower, 0.0001) } }
  expect(await verifyReceipt(altered, {}, same)).toMatchObject({ exitCode: 1 })
})

test('another structure, chain or compound is detected', async () => {
  const other = Buffer.from(structure.toString().replace('ATOM', 'ATOM '))
  const wrong = { ...receipt, structure: { ...receipt.structure, segments: ['MKV'] } }
  const swapped = { ...receipt, compound: { ...receipt.compound, standard_smiles: 'CCO' } }
  for (const [one, inputs] of [
    [receipt, { target: other }],
    [wrong, { target: structure }],
    [receipt, { compound: 'CCO' }],
    [swapped, {}],
  ] as const) {
    expect(await verifyReceipt(one, inputs, model)).toMatchObject({ exitCode: 1 })
  }
})

test('the command exits with 0, 1 or 2: reproduced, not reproduced, cannot be checked', async () => {
  const run = async (content: unknown) => {
    const file = join(scratch, 'receipt.json')
    await writeFile(file, JSON.stringify(content))
    return runVerification([file, '--target', structureFile, '--compound', amprenavir], () => {})
  }
  expect(await run(receipt)).toBe(0)
  expect(await run({ ...receipt, predicted_kd: receipt.predicted_kd + 0.0001 })).toBe(1)
  const otherModel = { ...receipt.model, card_sha256: '0'.repeat(64) }
  expect(await run({ ...receipt, model: otherModel })).toBe(2)
  expect(await run({ something: 'else' })).toBe(2)
})

test('the command lists what it did not check', async () => {
  const said = async (inputs: Parameters<typeof verifyReceipt>[1]) =>
    (await verifyReceipt(receipt, inputs, model)).sentence
  expect(await said({})).toContain('Not checked: the structure file (give it with --target)')
  const complete = await said({ target: structure, compound: amprenavir })
  expect(complete).toMatch(/Not checked: the names, the time\.$/)
})

test('the command rejects a second file, another version and another card, and explains why', async () => {
  const file = join(scratch, 'receipt.json')
  const run = async (changed: Partial<Receipt['model']>, ...more: string[]) => {
    const lines: string[] = []
    await writeFile(file, JSON.stringify({ ...receipt, model: { ...receipt.model, ...changed } }))
    return { code: await runVerification([file, ...more], (line) => lines.push(line)), lines }
  }
  expect(await run({}, structureFile)).toMatchObject({
    code: 2,
    lines: [expect.stringContaining('one receipt at a time')],
  })
  expect(await run({ version: '1.3.0' })).toMatchObject({
    code: 2,
    lines: [expect.stringContaining('it names model 1.3.0')],
  })
  expect(await run({ card_sha256: '0'.repeat(64) })).toMatchObject({
    code: 2,
    lines: [expect.stringContaining('with another model card')],
  })
  expect(await run({}, '--help')).toMatchObject({
    code: 0,
    lines: [expect.stringContaining('--target FILE')],
  })
})
