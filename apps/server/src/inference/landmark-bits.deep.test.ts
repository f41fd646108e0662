/** Counting shared bits outside the graph changes no encoding. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compoundBitCount, compoundFeatures, featureSpec, openRdkit } from '@pkdex/biochem'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { expect, test } from 'vitest'
import { openCompoundEncoder, outputOf, rowsOf } from './graphs.ts'
import { countOutside } from './landmark-bits.ts'

const directory = fileURLToPath(new URL('../../../../models/current', import.meta.url))
const rdkit = await openRdkit()
const features = [
  'C',
  'CC(=O)Oc1ccccc1C(=O)O',
  'CC1CCN(CC1N(C)c1ncnc2[nH]ccc12)C(=O)CC#N',
  'CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1',
].map((smiles) => compoundFeatures(rdkit, smiles))

/** Encoded by the graph as it is on disk. */
async function encodeInside(file: string): Promise<Float32Array[]> {
  const bits = new Float32Array(features.length * compoundBitCount)
  for (const [row, { bits: positions }] of features.entries()) {
    for (const position of positions) bits[row * compoundBitCount + position] = 1
  }
  const descriptors = Float32Array.from(features.flatMap((feature) => [...feature.descriptors]))
  const columns = featureSpec.compound.descriptors.length
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1 })
  const answer = await session.run({
    bits: new Tensor('float32', bits, [features.length, compoundBitCount]),
    descriptors: new Tensor('float32', descriptors, [features.length, columns]),
  })
  return rowsOf(outputOf(answer))
}

test.each(['compound.onnx', 'wide-compound.onnx'])(
  '%s encodes to the same bits, with its landmarks outside of the graph',
  async (name) => {
    const file = `${directory}/${name}`
    const model = await readFile(file)
    const { graph, blocks } = countOutside(model)
    expect(blocks.map(({ landmarks }) => landmarks)).toEqual([1200, 1200, 1200])
    expect(model.length - graph.length).toBeGreaterThan(1_800_000)
    const encode = await openCompoundEncoder(file)
    expect(await encode(features)).toEqual(await encodeInside(file))
  },
)

test('a graph without landmarks stays as it is', async () => {
  const model = await readFile(`${directory}/wide-target.onnx`)
  const { graph, blocks } = countOutside(model)
  expect(graph).toBe(model)
  expect(blocks).toEqual([])
})
