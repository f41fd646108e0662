/**
 * Predicts how much more strongly a compound binds than others of its screen, whatever the protein: learnt from pairs
 * of compounds within assays. Written by training/affinity_model/differences.py.
 */
import { join } from 'node:path'
import { type CompoundFeatures, compoundFeatures, type RdkitModule } from '@pkdex/biochem'
import { LRUCache } from 'lru-cache'
import { chunksOf, compoundInputs, openSession, outputOf } from './graphs.ts'

/** Standard SMILES of the compounds, and of the anchors that each is compared with. */
export type Compared = { smiles: string[]; anchors: string[] }

/** Per compound, the mean difference from the anchors in pK. Throws if RDKit breaks: its module is then unusable. */
export type Compare = (compared: Compared) => Promise<number[]>

export const DIFFERENCES_FILE = 'differences.onnx'
const ANCHORS_MAX = 50
/** Each compound takes 100 rows of 674 numbers. */
const COMPOUNDS_PER_RUN = 25
/** The only bits that the graph reads. */
const BITS = 'morgan-counts'
/** All blocks of a screen use the same anchors. */
const CACHED_FEATURES = 500
/** Differences are stored with the poses; more digits would only take space. */
const STEPS_PER_UNIT = 10_000

/** Selects anchors at even spacing; all compounds if there are few. */
export function chooseAnchors(smiles: string[]): string[] {
  const count = Math.min(smiles.length, ANCHORS_MAX)
  const step = (smiles.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, at) => smiles[Math.round(at * step)] ?? '')
}

export async function openDifferences(directory: string, rdkit: RdkitModule): Promise<Compare> {
  const session = await openSession(join(directory, DIFFERENCES_FILE))
  const cache = new LRUCache<string, CompoundFeatures>({ max: CACHED_FEATURES })

  function read(smiles: string): CompoundFeatures {
    const known = cache.get(smiles) ?? compoundFeatures(rdkit, smiles, BITS)
    cache.set(smiles, known)
    return known
  }

  return async ({ smiles, anchors }) => {
    const { bits, descriptors } = compoundInputs(anchors.map(read))
    const found: number[] = []
    for (const some of chunksOf(smiles, COMPOUNDS_PER_RUN)) {
      const answer = outputOf(
        await session.run({
          ...compoundInputs(some.map(read)),
          anchor_bits: bits,
          anchor_descriptors: descriptors,
        }),
      )
      found.push(...Array.from(answer.data, Number))
    }
    return found.map((one) => Math.round(one * STEPS_PER_UNIT) / STEPS_PER_UNIT)
  }
}
