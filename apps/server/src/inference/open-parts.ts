/**
 * The three graphs of the model: compounds to encodings, targets to encodings, two encodings to numbers.
 * Running one blocks its thread, so only worker threads come here.
 */
import { join } from 'node:path'
import {
  compoundBitCount,
  exactWordCount,
  featureSpec,
  reducedWordCount,
  type CompoundFeatures,
  type TargetFeatures,
} from '@pkdex/biochem'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { MEASURED_COLUMNS } from './measured-compounds.ts'

export type Parts = {
  encodeCompounds: (compounds: CompoundFeatures[]) => Promise<Float32Array[]>
  encodeTargets: (targets: TargetFeatures[]) => Promise<Float32Array[]>
  /** The numbers of each meeting, in order. */
  predict: (meetings: Meetings) => Promise<PairNumbers[]>
}

type Meetings = {
  compounds: Encoded[]
  targets: Encoded[]
  /** Which compound meets which target, by their places in the lists above, and what was measured near the two. */
  pairs: { compound: number; target: number; measured: Float32Array }[]
}

export type Encoded = {
  encoding: Float32Array
  /** To the nearest of training. */
  similarity: number
}

type PairNumbers = {
  /** The prediction, blended by how near training data are. */
  affinity: number
  /** What it was blended from, in the order of the card's `trust.weightsOf`. */
  parts: number[]
}

/** Dense inputs are large: this many rows go in at a time. */
const ENCODE_ROWS_MAX = 64
const PAIR_ROWS_MAX = 4096

const wordCount = exactWordCount + reducedWordCount
const descriptorCount = featureSpec.compound.descriptors.length
const letterCount = featureSpec.target.letters.length

export async function openParts(directory: string): Promise<Parts> {
  const compound = await openSession(join(directory, 'compound.onnx'))
  const target = await openSession(join(directory, 'target.onnx'))
  const pair = await openSession(join(directory, 'pair.onnx'))

  async function encode<T>(items: T[], run: (chunk: T[]) => Promise<Tensor>) {
    const encodings: Float32Array[] = []
    for (const chunk of chunksOf(items, ENCODE_ROWS_MAX)) {
      encodings.push(...rowsOf(await run(chunk)))
    }
    return encodings
  }

  return {
    encodeCompounds: (compounds) =>
      encode(compounds, async (chunk) => outputOf(await compound.run(compoundInputs(chunk)))),
    encodeTargets: (targets) =>
      encode(targets, async (chunk) => outputOf(await target.run(targetInputs(chunk)))),
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
          compound: indexOf(chunk.map((meeting) => meeting.compound)),
          target: indexOf(chunk.map((meeting) => meeting.target)),
        })
        numbers.push(...rowsOf(outputOf(answer)).map(toPairNumbers))
      }
      return numbers
    },
  }
}

function openSession(file: string): Promise<InferenceSession> {
  return InferenceSession.create(file, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  })
}

function compoundInputs(compounds: CompoundFeatures[]): Record<string, Tensor> {
  const bits = new Float32Array(compounds.length * compoundBitCount)
  const descriptors = new Float32Array(compounds.length * descriptorCount)
  for (const [row, compound] of compounds.entries()) {
    for (const position of compound.bits) bits[row * compoundBitCount + position] = 1
    descriptors.set(compound.descriptors, row * descriptorCount)
  }
  return {
    bits: new Tensor('float32', bits, [compounds.length, compoundBitCount]),
    descriptors: new Tensor('float32', descriptors, [compounds.length, descriptorCount]),
  }
}

function targetInputs(targets: TargetFeatures[]): Record<string, Tensor> {
  const words = new Float32Array(targets.length * wordCount)
  const composition = new Float32Array(targets.length * letterCount)
  for (const [row, target] of targets.entries()) {
    for (const [place, word] of target.words.entries()) {
      words[row * wordCount + word] = target.counts[place] ?? 0
    }
    composition.set(target.composition, row * letterCount)
  }
  const lengths = Float32Array.from(targets, (target) => target.length)
  return {
    words: new Tensor('float32', words, [targets.length, wordCount]),
    composition: new Tensor('float32', composition, [targets.length, letterCount]),
    length: new Tensor('float32', lengths, [targets.length, 1]),
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

function stacked(rows: Float32Array[], columns: number): Tensor {
  const matrix = new Float32Array(rows.length * columns)
  for (const [index, row] of rows.entries()) matrix.set(row, index * columns)
  return new Tensor('float32', matrix, [rows.length, columns])
}

function outputOf(answer: InferenceSession.OnnxValueMapType): Tensor {
  const [output] = Object.values(answer)
  if (!(output instanceof Tensor)) throw new Error('the model answered no tensor')
  return output
}

function rowsOf(tensor: Tensor): Float32Array[] {
  if (!(tensor.data instanceof Float32Array)) throw new Error('the model answered no numbers')
  const { data } = tensor
  const [rows = 0, columns = 0] = tensor.dims
  return Array.from({ length: rows }, (_, row) => data.slice(row * columns, (row + 1) * columns))
}

function toPairNumbers([affinity, ...parts]: Float32Array): PairNumbers {
  if (affinity === undefined) throw new Error('the model answered no number')
  return { affinity, parts }
}

function chunksOf<T>(items: T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size))
  return chunks
}
