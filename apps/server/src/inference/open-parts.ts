/**
 * The model's three graphs: compounds to encodings, targets to encodings, two encodings to predictions. A run blocks
 * its thread, so only worker threads use them.
 */
import { join } from 'node:path'
import type { CompoundFeatures, TargetFeatures } from '@pkdex/biochem'
import { Tensor } from 'onnxruntime-node'
import {
  chunksOf,
  openCompoundEncoder,
  openSession,
  openTargetEncoder,
  outputOf,
  rowsOf,
  stacked,
} from './graphs.ts'
import { MEASURED_COLUMNS } from './measured-compounds.ts'

export type Parts = {
  encodeCompounds: (compounds: CompoundFeatures[]) => Promise<Float32Array[]>
  encodeTargets: (targets: TargetFeatures[]) => Promise<Float32Array[]>
  /** Predictions of each pair, in order. */
  predict: (pairs: EncodedPairs) => Promise<PairNumbers[]>
}

type EncodedPairs = {
  compounds: Encoded[]
  targets: Encoded[]
  /** Compound and target of each pair, by index into the lists above, and the values measured near the pair. */
  pairs: { compound: number; target: number; measured: Float32Array }[]
}

export type Encoded = {
  encoding: Float32Array
  /** Similarity to the closest training compound or target. */
  similarity: number
}

export type PairNumbers = {
  /** The prediction, blended by similarity to the training data. */
  affinity: number
  /** The parts it was blended from, in the order of the card's `trust.weightsOf`. */
  parts: number[]
}

const PAIR_ROWS_MAX = 4096

export async function openParts(directory: string): Promise<Parts> {
  const encodeCompounds = await openCompoundEncoder(join(directory, 'compound.onnx'))
  const encodeTargets = await openTargetEncoder(join(directory, 'target.onnx'))
  const pair = await openSession(join(directory, 'pair.onnx'))

  return {
    encodeCompounds,
    encodeTargets,
    async predict({ compounds, targets, pairs }) {
      const numbers: PairNumbers[] = []
      const encodings = {
        compounds: matrixOf(compounds),
        targets: matrixOf(targets),
        compound_similarity: similaritiesOf(compounds),
        target_similarity: similaritiesOf(targets),
      }
      for (const chunk of chunksOf(pairs, PAIR_ROWS_MAX)) {
        const answer = await pair.run({
          ...encodings,
          measured: stacked(
            chunk.map(({ measured }) => measured),
            MEASURED_COLUMNS,
          ),
          compound: indexOf(chunk.map((one) => one.compound)),
          target: indexOf(chunk.map((one) => one.target)),
        })
        numbers.push(...rowsOf(outputOf(answer)).map(toPairNumbers))
      }
      return numbers
    },
  }
}

function indexOf(places: number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(places, BigInt), [places.length])
}

function similaritiesOf(encoded: Encoded[]): Tensor {
  const similarities = Float32Array.from(encoded, ({ similarity }) => similarity)
  return new Tensor('float32', similarities, [encoded.length])
}

function matrixOf(rows: Encoded[]): Tensor {
  return stacked(
    rows.map(({ encoding }) => encoding),
    rows[0]?.encoding.length ?? 0,
  )
}

function toPairNumbers([affinity, ...parts]: Float32Array): PairNumbers {
  if (affinity === undefined) throw new Error('the model returned no prediction')
  return { affinity, parts }
}
