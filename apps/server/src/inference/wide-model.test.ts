/** The wide model on disk predicts what PyTorch predicted, and caps small compounds. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compoundFeatures, openRdkit, targetFeatures } from '@pkdex/biochem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bitsIn, foldMorgan } from './fingerprints.ts'
import { openTrainingData } from './training-data.ts'
import { openWideModel } from './wide-model.ts'

const directory = fileURLToPath(new URL('../../../../models/current', import.meta.url))
const goldenFeatures = new URL(
  '../../../../packages/biochem/src/golden/features.json',
  import.meta.url,
)

const Golden = z.object({
  compounds: z.array(z.object({ smiles: z.string() })),
  targets: z.array(z.object({ segments: z.array(z.string()) })),
})
const Numbers = z.array(
  z.object({
    compound: z.number(),
    target: z.number(),
    /** The training target that the protein is treated as. */
    nearest: z.number(),
    kernel: z.number(),
    pooled: z.number(),
    analogues: z.number(),
    similarity: z.number(),
  }),
)

const rdkit = await openRdkit()
const golden = Golden.parse(JSON.parse(await readFile(goldenFeatures, 'utf8')))
const { targetCount } = openTrainingData(directory)
const model = await openWideModel(directory, targetCount)
const features = golden.compounds.map(({ smiles }) => compoundFeatures(rdkit, smiles))
const inputs = {
  compounds: await model.encodeCompounds(features),
  targets: await model.encodeTargets(
    golden.targets.map(({ segments }) => targetFeatures(segments)),
  ),
  bits: features.map(({ bits }) => bitsIn(foldMorgan(bits))),
}

function numbersOf({
  compound,
  target,
  place,
}: {
  compound: number
  target: number
  place: number | null
}) {
  const none = new Float32Array()
  return model.numbers({
    compound: inputs.compounds[compound] ?? none,
    target: inputs.targets[target] ?? none,
    bits: inputs.bits[compound] ?? [],
    place,
  })
}

test('a folder whose files list different targets is refused', async () => {
  const opened = openWideModel(directory, targetCount - 1)
  await expect(opened).rejects.toThrow(
    `files of the model folder do not match: wide.json lists ${targetCount} targets, targets.json ${targetCount - 1}`,
  )
  expect(() => numbersOf({ compound: 0, target: 0, place: targetCount })).toThrow(RangeError)
})

test('every golden pair gets PyTorch’s predictions within 0.0001', async () => {
  const saved: unknown = JSON.parse(await readFile(`${directory}/wide-golden.json`, 'utf8'))
  const expected = Numbers.parse(saved)
  const differences = expected.flatMap(({ compound, target, nearest, ...numbers }) => {
    const answered = numbersOf({ compound, target, place: nearest })
    return [
      answered.kernel - numbers.kernel,
      answered.pooled - numbers.pooled,
      answered.analogues - numbers.analogues,
      answered.similarity - numbers.similarity,
    ].map(Math.abs)
  })
  expect(differences.length).toBeGreaterThan(100)
  expect(Math.max(...differences)).toBeLessThan(1e-4)
  expect(expected.some(({ analogues }) => Math.abs(analogues) > 0.05)).toBe(true)
})

test('a protein that is not a training target has no analogues', () => {
  const known = numbersOf({ compound: 0, target: 0, place: null })
  expect(known).toMatchObject({ analogues: 0, similarity: 0, labels: 0 })
  expect(known.kernel).toBe(numbersOf({ compound: 0, target: 0, place: 0 }).kernel)
})

test('the maximum pKd grows with compound size, then stays constant', () => {
  const reached = Array.from({ length: 200 }, (_, atoms) => model.highest(atoms))
  expect(reached).toEqual(reached.toSorted((a, b) => a - b))
  expect(reached[1]).toBeLessThan(4)
  expect(reached[30]).toBeGreaterThan(9)
  expect(reached[199]).toBe(reached[100])
})
