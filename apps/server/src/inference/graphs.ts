/** Opens and runs the ONNX graphs, including the two that encode compounds and targets. */
import './no-telemetry.ts'
import { readFile } from 'node:fs/promises'
import {
  compoundBitCount,
  exactKmerCount,
  featureSpec,
  reducedKmerCount,
  type CompoundFeatures,
  type TargetFeatures,
} from '@pkdex/biochem'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { countOutside, type LandmarkBlock } from './landmark-bits.ts'

export type Encode<Features> = (items: Features[]) => Promise<Float32Array[]>

/** Dense inputs are large: this many rows per run. */
const ENCODE_ROWS_MAX = 64

const kmerCount = exactKmerCount + reducedKmerCount
const descriptorCount = featureSpec.compound.descriptors.length
const letterCount = featureSpec.target.letters.length

export async function openCompoundEncoder(file: string): Promise<Encode<CompoundFeatures>> {
  const { graph, blocks } = countOutside(await readFile(file))
  return openEncoder(graph, (compounds) => ({
    ...compoundInputs(compounds),
    ...Object.fromEntries(blocks.map((block) => [block.input, sharedBits(compounds, block)])),
  }))
}

/**
 * Weights stay integers, a quarter of the memory, and are converted at each run. A target is encoded once and cached,
 * so the extra milliseconds do not matter; for compounds they would.
 */
export function openTargetEncoder(file: string): Promise<Encode<TargetFeatures>> {
  return openEncoder(file, targetInputs, {
    optimization: { disable_specified_optimizers: 'ConstantFolding' },
  })
}

/** `graph`: a file, or its content. `extra`: ONNX Runtime's session configuration entries. */
export function openSession(
  graph: string | Uint8Array,
  extra: Record<string, unknown> = {},
): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // The arena would keep the memory of the largest run for every graph and thread: 220 MB more per thread.
    enableCpuMemArena: false,
    enableMemPattern: false,
    extra,
  }
  return typeof graph === 'string'
    ? InferenceSession.create(graph, options)
    : InferenceSession.create(graph, options)
}

async function openEncoder<Features>(
  graph: string | Uint8Array,
  toInputs: (items: Features[]) => Record<string, Tensor>,
  extra?: Record<string, unknown>,
): Promise<Encode<Features>> {
  const session = await openSession(graph, extra)
  return async (items) => {
    const encodings: Float32Array[] = []
    for (const chunk of chunksOf(items, ENCODE_ROWS_MAX)) {
      encodings.push(...rowsOf(outputOf(await session.run(toInputs(chunk)))))
    }
    return encodings
  }
}

export function compoundInputs(compounds: CompoundFeatures[]) {
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

function sharedBits(compounds: CompoundFeatures[], { landmarks, count }: LandmarkBlock): Tensor {
  const shared = new Float32Array(compounds.length * landmarks)
  for (const [row, { bits }] of compounds.entries()) {
    count(bits, shared.subarray(row * landmarks, (row + 1) * landmarks))
  }
  return new Tensor('float32', shared, [compounds.length, landmarks])
}

function targetInputs(targets: TargetFeatures[]): Record<string, Tensor> {
  const kmers = new Float32Array(targets.length * kmerCount)
  const composition = new Float32Array(targets.length * letterCount)
  for (const [row, target] of targets.entries()) {
    for (const [place, kmer] of target.kmers.entries()) {
      kmers[row * kmerCount + kmer] = target.counts[place] ?? 0
    }
    composition.set(target.composition, row * letterCount)
  }
  const lengths = Float32Array.from(targets, (target) => target.length)
  return {
    words: new Tensor('float32', kmers, [targets.length, kmerCount]),
    composition: new Tensor('float32', composition, [targets.length, letterCount]),
    length: new Tensor('float32', lengths, [targets.length, 1]),
  }
}

export function stacked(rows: Float32Array[], columns: number): Tensor {
  const matrix = new Float32Array(rows.length * columns)
  for (const [index, row] of rows.entries()) matrix.set(row, index * columns)
  return new Tensor('float32', matrix, [rows.length, columns])
}

export function outputOf(answer: InferenceSession.OnnxValueMapType): Tensor {
  const [output] = Object.values(answer)
  if (!(output instanceof Tensor)) throw new Error('the model returned no tensor')
  return output
}

export function rowsOf(tensor: Tensor): Float32Array[] {
  if (!(tensor.data instanceof Float32Array)) throw new Error('the model returned no predictions')
  const { data } = tensor
  const [rows = 0, columns = 0] = tensor.dims
  return Array.from({ length: rows }, (_, row) => data.slice(row * columns, (row + 1) * columns))
}

export function chunksOf<T>(items: T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size))
  return chunks
}
