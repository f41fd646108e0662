/** The shipped model predicts what the training code predicted, and refuses other features. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRdkit } from '@pkdex/biochem'
import { PredictionResult } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readModelCard } from './model-card.ts'
import { GRID_COLUMNS, gridColumns } from './grid.ts'
import { openModel } from './open-model.ts'

const directory = fileURLToPath(new URL('../../../../models/current', import.meta.url))
const goldenFeatures = new URL(
  '../../../../packages/biochem/src/golden/features.json',
  import.meta.url,
)

const Golden = z.object({
  compounds: z.array(z.object({ smiles: z.string() })),
  targets: z.array(z.object({ segments: z.array(z.string()) })),
})
/** Per target and compound: prediction, half-width, and similarity to the closest measured compound. */
const Predictions = z.object({
  compounds: z.array(z.string()),
  targets: z.array(z.array(z.string())),
  numbers: z.array(z.array(z.tuple([z.number(), z.number(), z.number()]))),
})

const proteaseMonomer =
  'PQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVGPTPVNIIGRNLLTQIGCTLNF'
const amprenavir = 'CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1'
const measuredOnProtease =
  'CC(=O)N[C@H](CS(=O)(=O)c1ccc(F)cc1)C(=O)N[C@@H](Cc1ccccc1)[C@H](O)CN1C[C@H]2CCS[C@H]2C[C@H]1C(=O)NC(C)(C)C'
const aspirin = 'CC(=O)Oc1ccccc1C(=O)O'
const tofacitinib = 'CC1CCN(CC1N(C)c1ncnc2[nH]ccc12)C(=O)CC#N'

const model = await openModel({ directory, rdkit: await openRdkit() })
const golden: z.infer<typeof Golden> = Golden.parse(
  JSON.parse(await readFile(goldenFeatures, 'utf8')),
)
const scratch = await mkdtemp(join(tmpdir(), 'pkdex-model-'))
afterAll(() => rm(scratch, { recursive: true }))

test('1,000 pairs get the same predictions and intervals as in the training code, within 0.01', async () => {
  const { compounds, targets, numbers } = Predictions.parse(
    JSON.parse(await readFile(join(directory, 'golden-predictions.json'), 'utf8')),
  )
  const columns = await model.predictGrid({ targets, smiles: compounds })
  const differences = compounds.flatMap((_, compound) =>
    targets.flatMap((__, target) => {
      const at = (compound * targets.length + target) * GRID_COLUMNS
      const of = (column: number) => columns[at + column] ?? Number.NaN
      const half = (of(gridColumns.upper) - of(gridColumns.lower)) / 2
      const [predicted, wanted] = numbers[target]?.[compound] ?? []
      const clipped = Math.min(Math.max(predicted ?? Number.NaN, 2), 12)
      return [
        Math.abs(of(gridColumns.predicted) - clipped),
        Math.abs(half - (wanted ?? Number.NaN)),
      ]
    }),
  )
  expect(differences.length).toBeGreaterThanOrEqual(1800)
  expect(Math.max(...differences)).toBeLessThan(0.01)
})

test('returns a result that fits the contract for every pair of compounds and targets', async () => {
  const pairs = golden.targets.flatMap(({ segments }) =>
    golden.compounds.map(({ smiles }) => ({ segments, smiles })),
  )
  const results = await model.predict(pairs)
  expect(results).toHaveLength(pairs.length)
  for (const result of results) {
    expect(PredictionResult.parse(result)).toEqual(result)
    expect(result.interval.lower).toBeLessThan(result.predicted_kd)
    expect(result.interval.upper).toBeGreaterThan(result.predicted_kd)
    expect(result.model_version).toBe(model.version)
  }
})

test('a pair gets the same prediction alone, in a batch, and again', async () => {
  const pair = { segments: [proteaseMonomer], smiles: amprenavir }
  const [first] = await model.predict([
    { segments: ['ACDEFGHIKLMNPQRSTVWY'], smiles: aspirin },
    pair,
  ])
  const [alone] = await model.predict([pair])
  const [again] = await model.predict([pair])
  const [, among] = await model.predict([{ segments: [proteaseMonomer], smiles: aspirin }, pair])
  expect(again).toEqual(alone)
  expect(among?.predicted_kd).toBeCloseTo(alone?.predicted_kd ?? 0, 4)
  expect(first?.predicted_kd).not.toBeCloseTo(alone?.predicted_kd ?? 0, 2)
})

test('the same compound gets different predictions on unrelated targets', async () => {
  const known = golden.targets.filter(({ segments }) => segments.join('').length > 90)
  const results = await model.predict(
    known.map(({ segments }) => ({ segments, smiles: amprenavir })),
  )
  const numbers = new Set(results.map((result) => result.predicted_kd.toFixed(2)))
  expect(numbers.size).toBeGreaterThan(2)
})

test('finds the kinase of a domain with a gap', async () => {
  const [, abl] = golden.targets.filter(({ segments }) => segments.join('').length > 200)
  const [result] = await model.predict([{ segments: abl?.segments ?? [], smiles: aspirin }])
  expect(result?.nearest_targets[0]?.name).toContain('ABL1')
  expect(result?.nearest_targets[0]?.similarity).toBeGreaterThan(0.9)
  expect(result?.domain.is_ligand_driven).toBe(false)
})

test('lists measured values of the compound and of similar ones on the same target', async () => {
  const [result] = await model.predict([
    { segments: [proteaseMonomer], smiles: measuredOnProtease },
  ])
  const measured = result?.measured_compounds ?? []
  expect(measured[0]).toMatchObject({ similarity: 1, is_upper_bound: false })
  expect(measured[0]?.pk).toBeGreaterThan(8)
  const similarities = measured.map(({ similarity }) => similarity)
  expect(similarities).toEqual(similarities.toSorted((a, b) => b - a))
  expect(similarities.length).toBeGreaterThan(1)
  expect(Math.min(...similarities)).toBeGreaterThanOrEqual(0.35)
})

test('an upper bound is shown as reported, not as the model counts it', async () => {
  const abl = golden.targets.find(({ segments }) => segments.join('').length === 253)
  const [result] = await model.predict([{ segments: abl?.segments ?? [], smiles: tofacitinib }])
  expect(result?.measured_compounds?.[0]).toEqual({ pk: 5, is_upper_bound: true, similarity: 1 })
})

test('lists no measured values if no similar compound was measured, or only on another protein', async () => {
  const pairs = [
    { segments: [proteaseMonomer], smiles: 'C' },
    { segments: ['GSGSGSGSGSGS'], smiles: amprenavir },
  ]
  const results = await model.predict(pairs)
  expect(results.map(({ measured_compounds }) => measured_compounds)).toEqual([[], []])
})

test('methane gets a lower prediction than a drug and a wide interval, on known and unknown proteins', async () => {
  for (const segments of [[proteaseMonomer], ['GSGSGSGSGSGS']]) {
    const pairs = ['C', amprenavir].map((smiles) => ({ segments, smiles }))
    const [methane, drug] = await model.predict(pairs)
    if (methane === undefined || drug === undefined) throw new Error('a pair has no prediction')
    expect(methane.predicted_kd).toBeLessThan(drug.predicted_kd - 0.5)
    expect(methane.interval.upper - methane.interval.lower).toBeGreaterThan(3.5)
  }
})

test('a protein unlike all training targets is outside the domain and ligand-driven', async () => {
  const [result] = await model.predict([{ segments: ['GSGSGSGSGSGS'], smiles: amprenavir }])
  expect(result?.domain).toMatchObject({ is_inside: false, is_ligand_driven: true })
  expect(result?.domain.reason).toContain('the prediction rests on the compound alone.')
})

test('refuses a model trained on other features', async () => {
  const other = await copyWithCard('other', { featureSpecHash: '0000000000000000' })
  const opened = openModel({ directory: other, rdkit: await openRdkit() })
  await expect(opened).rejects.toThrow('was trained on features 0000000000000000')
  await expect(readModelCard(other)).rejects.toThrow('was trained on features')
})

test('refuses a model with a file missing from its card', async () => {
  const damaged = await copyWithCard('damaged', {})
  await writeFile(join(damaged, 'targets.json'), '[]')
  const opened = openModel({ directory: damaged, rdkit: await openRdkit() })
  await expect(opened).rejects.toThrow('targets.json does not match the hash')
})

test('names the file missing from a model folder', async () => {
  const cardless = join(scratch, 'no-such-folder')
  await expect(readModelCard(cardless)).rejects.toThrow(
    `the model folder ${cardless} has no readable model-card.json`,
  )
  const partial = await copyWithCard('partial', {})
  await rm(join(partial, 'weights.bin.gz'))
  const opened = openModel({ directory: partial, rdkit: await openRdkit() })
  await expect(opened).rejects.toThrow(`the model folder ${partial} has no readable weights.bin.gz`)
})

async function copyWithCard(name: string, changes: Record<string, unknown>): Promise<string> {
  const copy = join(scratch, name)
  await cp(directory, copy, { recursive: true })
  const card: unknown = JSON.parse(await readFile(join(copy, 'model-card.json'), 'utf8'))
  await writeFile(
    join(copy, 'model-card.json'),
    JSON.stringify({ ...z.looseObject({}).parse(card), ...changes }),
  )
  return copy
}
