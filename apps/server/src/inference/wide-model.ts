/**
 * Other inputs of the prediction, besides the base model: a pair kernel and trees fitted on more data, and analogues
 * weighted by similarity. Written by training/affinity_model/wide_model.py.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompoundFeatures, TargetFeatures } from '@pkdex/biochem'
import { z } from 'zod'
import { LRUCache } from 'lru-cache'
import { bitsIn, FINGERPRINT_WORDS } from './fingerprints.ts'
import { openCompoundEncoder, openTargetEncoder, type Encode } from './graphs.ts'
import { invertSets, type InvertedIndex } from './inverted-index.ts'
import { readNumbers } from './read-numbers.ts'
import { expectPerTarget } from './training-data.ts'

export type WideModel = {
  encodeCompounds: Encode<CompoundFeatures>
  encodeTargets: Encode<TargetFeatures>
  /** Maximum pK: hardly any measured compound of this size or smaller exceeds it. */
  highest(heavyAtoms: number): number
  /** `bits`: the compound's fingerprint; `place`: index of the training target that the protein is, if any. */
  numbers(pair: WidePair): WideNumbers
}

type WidePair = {
  compound: Float32Array
  target: Float32Array
  bits: number[]
  place: number | null
}

export type WideNumbers = {
  /** In pK. */
  kernel: number
  /** In pK above others on the same target and assay. */
  pooled: number
  /** In pK above `pooled`. */
  analogues: number
  /** Tanimoto similarity to the closest analogue. */
  similarity: number
  /** Compounds measured on the target and its twins. */
  labels: number
  /** The most common type of ChEMBL's values on the target; `other` without any. */
  mostly: MostlyMeasured
  /** Averages over the compounds measured on the target; null if nothing was, or the model has none. */
  means: Means | null
}

/** What was measured on a target, and what the parts predict for the same compounds. */
export type Means = {
  pk: number
  heavyAtoms: number
  logp: number
  pooled: number
  analogues: number
  kernel: number
}

/** Analogues of one group of targets. */
type Group = {
  weights: Float32Array
  bits: InvertedIndex
  mostly: MostlyMeasured
  means: Means | null
}

export const MostlyMeasured = z.enum(['other', 'Ki', 'IC50'])
export type MostlyMeasured = z.infer<typeof MostlyMeasured>

/** Numbers in `Means`. */
const MEANS = 6

/** Contents of `wide.json`. */
const Described = z.object({
  /** Per training target: its group of labels. Twins share one. */
  groupOfTarget: z.array(z.number()),
  labelsOfGroup: z.array(z.number()),
  mostlyOfGroup: z.array(MostlyMeasured),
  /** In the order of `Means`. Models up to 1.4.2 have none. */
  meansOfGroup: z.array(z.array(z.number()).length(MEANS)).optional(),
  /** The highest pK, by number of heavy atoms from 0; the last applies to all larger compounds. */
  highestBySize: z.array(z.number()),
})
type Described = z.infer<typeof Described>
const CACHED_GROUPS = 100
const NOTHING_MEASURED = {
  analogues: 0,
  similarity: 0,
  labels: 0,
  mostly: 'other',
  means: null,
} as const

/** `targets`: the number in targets.json. Throws if the folder lists another. */
export async function openWideModel(directory: string, targets: number): Promise<WideModel> {
  const encodeCompounds = await openCompoundEncoder(join(directory, 'wide-compound.onnx'))
  const encodeTargets = await openTargetEncoder(join(directory, 'wide-target.onnx'))
  const described = Described.parse(JSON.parse(readFileSync(join(directory, 'wide.json'), 'utf8')))
  expectPerTarget('wide.json', described.groupOfTarget, targets)
  const groupAt = openAnalogues(directory, described)
  const { highestBySize } = described

  function highest(heavyAtoms: number): number {
    return highestBySize[heavyAtoms] ?? highestBySize.at(-1) ?? Infinity
  }

  function numbers({ compound, target, bits, place }: WidePair): WideNumbers {
    const kernel = product(compound, target)
    const pooled = compound[target.length] ?? 0
    const group = place === null ? null : groupAt(place)
    if (group === null) return { kernel, pooled, ...NOTHING_MEASURED }
    const { weights, mostly, means } = group
    return { kernel, pooled, ...heard(group, bits), labels: weights.length, mostly, means }
  }

  return { encodeCompounds, encodeTargets, highest, numbers }
}

function openAnalogues(directory: string, described: Described): (place: number) => Group {
  const { groupOfTarget, labelsOfGroup, mostlyOfGroup, meansOfGroup } = described
  const fingerprints = readNumbers(join(directory, 'wide-fingerprints.bin.gz'))
  const packed = readNumbers(join(directory, 'wide-measured.bin.gz'))
  const rows = packed.subarray(0, packed.length / 2)
  const weights = new Float32Array(packed.buffer, rows.byteLength, rows.length)
  const starts = [0]
  for (const count of labelsOfGroup) starts.push((starts.at(-1) ?? 0) + count)
  const cache = new LRUCache<string, Group>({ max: CACHED_GROUPS })

  return (place) => {
    const at = groupOfTarget[place]
    if (at === undefined) throw new RangeError(`no training target ${place}`)
    const known = cache.get(String(at))
    if (known !== undefined) return known
    const [start, end] = [starts[at], starts[at + 1]]
    const bits = Array.from(rows.subarray(start, end), (row) =>
      bitsIn(fingerprints.subarray(row * FINGERPRINT_WORDS, (row + 1) * FINGERPRINT_WORDS)),
    )
    const mostly = mostlyOfGroup[at] ?? 'other'
    const means = meansIn(start === end ? undefined : meansOfGroup?.[at])
    const group = { weights: weights.subarray(start, end), bits: invertSets(bits), mostly, means }
    cache.set(String(at), group)
    return group
  }
}

function meansIn(numbers: number[] | undefined): Means | null {
  if (numbers === undefined) return null
  const [pk = 0, heavyAtoms = 0, logp = 0, pooled = 0, analogues = 0, kernel = 0] = numbers
  return { pk, heavyAtoms, logp, pooled, analogues, kernel }
}

/** An index loop without bounds checks on purpose: it runs for every pair, over all labels of its target. */
function heard({ weights, bits: known }: Group, bits: number[]) {
  const shared = known.countShared(bits)
  const { sizes } = known
  let [analogues, similarity] = [0, 0]
  for (let place = 0; place < shared.length; place += 1) {
    const common = shared[place] as number
    if (common === 0) continue
    const tanimoto = common / (bits.length + (sizes[place] as number) - common)
    analogues += tanimoto * (weights[place] as number)
    if (tanimoto > similarity) similarity = tanimoto
  }
  return { analogues, similarity }
}

/** Dot product of a target's and a compound's vector. An index loop on purpose, as above. */
function product(compound: Float32Array, target: Float32Array): number {
  let sum = 0
  for (let at = 0; at < target.length; at += 1) {
    sum += (compound[at] as number) * (target[at] as number)
  }
  return sum
}
