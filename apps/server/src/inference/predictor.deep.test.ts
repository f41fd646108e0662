import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/main/settings.ts'
import { GRID_COLUMNS, openPredictor } from './service.ts'
import { threadDataOf } from './shared-arrays.ts'

const { modelDir } = readConfig()
const protease =
  'PQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVGPTPVNIIGRNLLTQIGCTLNF'
const aspirin = 'CC(=O)Oc1ccccc1C(=O)O'

const predictor = await openPredictor({ modelDirectory: modelDir, threads: 1 })
afterAll(() => predictor?.close())

test('predicts pairs with the model on disk, in order', async () => {
  const pairs = [aspirin, 'CCO'].map((smiles) => ({ segments: [protease], smiles }))
  const outcomes = await predictor.predict(pairs)
  const single = await Promise.all(pairs.map((pair) => predictor.predict([pair])))
  const numbers = outcomes.map((outcome) => (outcome.ok ? outcome.result.predicted_kd : NaN))
  expect(numbers[0]).toBeGreaterThan(2)
  expect(numbers[0]).toBeLessThan(12)
  expect(numbers[0]).not.toBe(numbers[1])
  for (const [index, [outcome]] of single.entries()) {
    expect(outcome?.ok && outcome.result.predicted_kd).toBeCloseTo(numbers[index] ?? NaN, 4)
    expect(outcome?.ok && outcome.result.model_version).toBe(predictor.modelVersion)
  }
})

test('a failing pair does not affect others, and the next batch works', async () => {
  const bad = { segments: [protease], smiles: 'no molecule' }
  const good = { segments: [protease], smiles: aspirin }
  expect((await predictor.predict([good, bad, good])).map(({ ok }) => ok)).toEqual([
    true,
    false,
    true,
  ])
  expect((await predictor.predict([good])).map(({ ok }) => ok)).toEqual([true])
})

test('a grid equals single predictions of its pairs, with null for an unreadable compound', async () => {
  const targets = [[protease], [protease.slice(0, 60), protease.slice(70)]]
  const rows = await predictor.predictGrid({ targets, smiles: [aspirin, 'no molecule', 'CCO'] })
  expect(rows[1]).toBeNull()
  for (const [row, smiles] of [aspirin, null, 'CCO'].entries()) {
    if (smiles === null) continue
    const outcomes = await predictor.predict(targets.map((segments) => ({ segments, smiles })))
    for (const [place, outcome] of outcomes.entries()) {
      if (!outcome.ok) throw new Error('a pair failed')
      const { predicted_kd, interval, domain, nearest_compound, nearest_targets } = outcome.result
      const wanted = [predicted_kd, interval.lower, interval.upper]
      const flags = [Number(domain.is_inside), Number(domain.is_ligand_driven)]
      const near = [nearest_compound.similarity, nearest_targets[0]?.similarity ?? 0]
      const columns = rows[row]?.subarray(place * GRID_COLUMNS, (place + 1) * GRID_COLUMNS) ?? []
      for (const [at, value] of [...wanted, ...flags, ...near].entries()) {
        expect(columns[at]).toBeCloseTo(value, 4)
      }
    }
  }
})

test('compounds are compared with others on the same threads, and one that cannot be read is an error', async () => {
  const anchors = [aspirin, 'CCO']
  const [own = NaN, other = NaN] = await predictor.compare({ smiles: anchors, anchors })
  expect(own).toBeGreaterThan(0.1)
  expect(other).toBeCloseTo(-own, 3)
  const bad = predictor.compare({ smiles: ['no molecule'], anchors })
  await expect(bad).rejects.toThrow('the compounds could not be compared')
  expect(await predictor.compare({ smiles: anchors, anchors })).toEqual([own, other])
})

test('threads that share the arrays of the model predict the same, also after a failure', async () => {
  const before = threadDataOf(modelDir).memory.byteLength
  const threads = await openPredictor({ modelDirectory: modelDir, threads: 2 })
  const pairs = [aspirin, 'CCO', 'c1ccccc1N'].map((smiles) => ({ segments: [protease], smiles }))
  const wanted = await predictor.predict(pairs)
  const bad = { segments: [protease], smiles: 'no molecule' }
  for (const failing of [[], [bad]]) {
    const twice = [0, 1].map(() => threads.predict([...pairs, ...failing]))
    for (const outcomes of await Promise.all(twice)) {
      expect(outcomes.slice(0, pairs.length)).toEqual(wanted)
    }
  }
  expect(before).toBeGreaterThan(50e6)
  expect(threadDataOf(modelDir).memory.byteLength).toBe(before)
  await threads.close()
})

test('refuses to open a missing model, and names it', async () => {
  const nowhere = openPredictor({ modelDirectory: '/nowhere/at-all', threads: 1 })
  await expect(nowhere).rejects.toThrow('the model in /nowhere/at-all cannot be used')
})
