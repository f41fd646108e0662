import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { openPredictor, type Predictor } from './open-predictor.ts'

const { modelDir } = readConfig()
const protease =
  'PQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVGPTPVNIIGRNLLTQIGCTLNF'
const aspirin = 'CC(=O)Oc1ccccc1C(=O)O'

let predictor: Predictor
beforeAll(async () => {
  predictor = await openPredictor({ modelDirectory: modelDir, threads: 1 })
})
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

test('a pair that cannot be predicted sinks no other, and the next batch works', async () => {
  const bad = { segments: [protease], smiles: 'no molecule' }
  const good = { segments: [protease], smiles: aspirin }
  expect((await predictor.predict([good, bad, good])).map(({ ok }) => ok)).toEqual([
    true,
    false,
    true,
  ])
  expect((await predictor.predict([good])).map(({ ok }) => ok)).toEqual([true])
})

test('refuses to open a model that is not there, and says which', async () => {
  const nowhere = openPredictor({ modelDirectory: '/nowhere/at-all', threads: 1 })
  await expect(nowhere).rejects.toThrow('the model in /nowhere/at-all cannot be used')
})
