/**
 * The regression of the model: features of a compound, one vector of weights per target, one dot product per pair. Written
 * by `training/affinity_model/export.py`; `model.py` states the equations. Its phi is the projection of similarities to
 * landmarks; here the weights are projected instead, once for a target rather than for every compound.
 */
import { join } from 'node:path'
import { type CompoundFeatures, featureSpec } from '@pkdex/biochem'
import type { PairModel } from './pair-model.ts'
import { readHalves, readNumbers } from './read-numbers.ts'
import { openSharedCounts } from './shared-counts.ts'
import type { Share } from './shared-arrays.ts'

export type Regression = {
  /** Similarities to landmarks, scaled descriptors and a constant, in the order of all weights. */
  inputsOf(features: CompoundFeatures): Float32Array
  /** Weights of a training target. */
  weightsOf(place: number): Float64Array
  /** Weights of another protein, from its cosine similarity to every training target. */
  weightsOfNew(similarities: Float32Array): Float64Array
  predict(inputs: Float32Array, weights: Float64Array): number
}

export function openRegression(
  directory: string,
  settings: PairModel['regression'],
  { targets, share }: { targets: number; share: Share },
): Regression {
  const { landmarks, directions, descriptors, constant, mean } = settings
  const width = landmarks + descriptors.means.length + 1
  const halves = share(Float16Array, () => readHalves(join(directory, 'weights.bin.gz')))
  let at = 0
  const take = (length: number) => halves.subarray(at, (at += length))
  const packed = take(landmarks * landmarks)
  const projection = share(Float32Array, () => Float32Array.from(packed))
  const shared = Float32Array.from(take(width))
  const byProtein = take(directions * width)
  const extension = take(targets * directions)
  const own = take(targets * width)
  if (at !== halves.length) throw new Error('weights.bin.gz does not match pair-model.json')
  const blocks = openBlocks(join(directory, 'landmarks.bin.gz'), settings.blocks, landmarks)

  function projected(weights: Float32Array): Float64Array {
    const out = Float64Array.from(weights)
    multiply(projection, weights.subarray(0, landmarks), out)
    return out
  }

  return {
    inputsOf({ bits, descriptors: described }) {
      const inputs = new Float32Array(width)
      for (const block of blocks) block.addSimilarities(bits, inputs)
      for (const [place, middle] of descriptors.means.entries()) {
        const scaled = ((described[place] ?? 0) - middle) / (descriptors.deviations[place] ?? 1)
        const clipped = Math.max(-descriptors.clip, Math.min(descriptors.clip, scaled))
        inputs[landmarks + place] = clipped * descriptors.scale
      }
      inputs[width - 1] = constant
      return inputs
    },
    weightsOf: (place) =>
      projected(Float32Array.from(own.subarray(place * width, (place + 1) * width))),
    weightsOfNew(similarities) {
      const psi = new Float32Array(directions)
      for (const [target, similarity] of similarities.entries()) {
        if (similarity !== 0) addScaled(psi, extension, target * directions, similarity)
      }
      const weights = Float32Array.from(shared)
      for (const [direction, share] of psi.entries()) {
        addScaled(weights, byProtein, direction * width, share)
      }
      return projected(weights)
    },
    predict: (inputs, weights) => mean + product(inputs, weights),
  }
}

/** `to` plus `share` of the values of `from` that start at `start`. */
function addScaled(to: Float32Array, from: Float16Array, start: number, share: number): void {
  for (let at = 0; at < to.length; at += 1) {
    to[at] = (to[at] as number) + share * (from[start + at] as number)
  }
}

function product(one: Float32Array, other: Float64Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at += 1) sum += (one[at] as number) * (other[at] as number)
  return sum
}

/** Four sums at a time, so that none waits for the one before. */
function multiply(matrix: Float32Array, vector: Float32Array, out: Float64Array): void {
  const size = vector.length
  for (let row = 0; row < size; row += 1) {
    const start = row * size
    let [one, two, three, four] = [0, 0, 0, 0]
    let at = 0
    for (; at + 3 < size; at += 4) {
      one += (matrix[start + at] as number) * (vector[at] as number)
      two += (matrix[start + at + 1] as number) * (vector[at + 1] as number)
      three += (matrix[start + at + 2] as number) * (vector[at + 2] as number)
      four += (matrix[start + at + 3] as number) * (vector[at + 3] as number)
    }
    for (; at < size; at += 1) one += (matrix[start + at] as number) * (vector[at] as number)
    out[row] = one + two + three + four
  }
}

type Block = {
  /** Adds the landmarks' shares of the mean Tanimoto similarity. */
  addSimilarities: (bits: Uint16Array, inputs: Float32Array) => void
}

/** `landmarks.bin.gz`: for each landmark the number of its bits, then their positions. */
function openBlocks(file: string, names: string[], count: number): Block[] {
  const numbers = readNumbers(file)
  const sets: Uint32Array[] = []
  let at = 0
  for (let landmark = 0; landmark < count; landmark += 1) {
    const length = numbers[at] ?? 0
    sets.push(numbers.subarray(at + 1, at + 1 + length))
    at += 1 + length
  }
  let start = 0
  return featureSpec.compound.blocks.flatMap(({ name, size }) => {
    const from = start
    start += size
    return names.includes(name) ? [openBlock(sets, from, from + size, names.length)] : []
  })
}

function openBlock(sets: Uint32Array[], from: number, to: number, blocks: number): Block {
  const isMine = (bit: number) => bit >= from && bit < to
  const sizes = sets.map((set) => set.filter(isMine).length)
  const countShared = openSharedCounts(sets, { from, to })

  /** An index loop on purpose: it runs for every compound. */
  function addSimilarities(bits: Uint16Array, inputs: Float32Array): void {
    const mine = bits.filter(isMine)
    const shared = countShared(mine)
    for (let at = 0; at < sizes.length; at += 1) {
      const both = shared[at] as number
      if (both === 0) continue
      const either = mine.length + (sizes[at] as number) - both
      inputs[at] = (inputs[at] as number) + both / Math.max(either, 1) / blocks
    }
  }

  return { addSimilarities }
}
