/**
 * Clusters of a set of compounds (Butina), a diverse choice of them (MaxMin), and its activity cliffs. Similarity is
 * Tanimoto on Morgan fingerprints of radius 2, which ignore stereochemistry.
 */
import { type RdkitModule, trapped } from '../smiles/rdkit.ts'

/** Indices of compounds in the input. */
export type Cluster = {
  /** Similar to every member. */
  centre: number
  /** The centre first, then the others in order of input. */
  members: number[]
}

export type Cliff = { weaker: number; stronger: number; similarity: number; change: number }

/** Null for a compound that cannot be read. */
export type Fingerprints = (Uint32Array | null)[]

const BITS = 2048
const RADIUS = 2

export function readFingerprints(
  rdkit: RdkitModule,
  smiles: (string | null)[],
  beginStep: () => void = () => undefined,
): Fingerprints {
  const options = JSON.stringify({ radius: RADIUS, nBits: BITS })
  return smiles.map((one) => {
    beginStep()
    if (one === null) return null
    return trapped(() => {
      using molecule = rdkit.get_mol(one)
      if (molecule === null) return null
      const bits = molecule.get_morgan_fp_as_uint8array(options)
      return new Uint32Array(bits.buffer.slice(bits.byteOffset, bits.byteOffset + BITS / 8))
    })
  })
}

/**
 * Butina: the compound with most neighbours forms a cluster with them; then the same for the rest. Ties go by input
 * order. A compound without neighbours is its own cluster. Largest first.
 */
export function findClusters(fingerprints: Fingerprints, similarityMin: number): Cluster[] {
  const neighbours = findNeighbours(fingerprints, similarityMin)
  const left = new Set([...fingerprints.keys()].filter((place) => fingerprints[place] !== null))
  const order = [...left].toSorted((a, b) => {
    return (neighbours[b]?.length ?? 0) - (neighbours[a]?.length ?? 0) || a - b
  })
  const clusters: Cluster[] = []
  for (const centre of order) {
    if (!left.has(centre)) continue
    const others = (neighbours[centre] ?? []).filter((place) => left.has(place))
    const members = [centre, ...others]
    for (const place of members) left.delete(place)
    clusters.push({ centre, members })
  }
  return clusters.toSorted((a, b) => b.members.length - a.members.length || a.centre - b.centre)
}

/**
 * MaxMin: starts with `first`, then repeatedly takes the compound least similar to those chosen so far. Stops early if
 * only duplicates of chosen compounds remain.
 */
export function pickDiverse(fingerprints: Fingerprints, count: number, first: number): number[] {
  const usable = [...fingerprints.keys()].filter((place) => fingerprints[place] !== null)
  const closest = new Map(usable.map((place) => [place, 0]))
  const picked: number[] = []
  let next: number | undefined = closest.has(first) ? first : usable[0]
  while (next !== undefined && picked.length < count) {
    picked.push(next)
    closest.delete(next)
    const [chosen, before] = [fingerprints[next], closest]
    let [best, least]: [number | undefined, number] = [undefined, 1]
    for (const [place, known] of before) {
      const similarity = Math.max(known, tanimoto(chosen, fingerprints[place]))
      before.set(place, similarity)
      if (similarity < least) [best, least] = [place, similarity]
    }
    next = best
  }
  return picked
}

/** Similar pairs whose values differ by at least `changeMin`, largest difference first. Null: not measured. */
export function findCliffs(
  fingerprints: Fingerprints,
  values: (number | null)[],
  { similarityMin, changeMin }: { similarityMin: number; changeMin: number },
): Cliff[] {
  const measured = [...values.entries()].filter(([place]) => fingerprints[place] !== null)
  const cliffs: Cliff[] = []
  for (const [at, [one, first]] of measured.entries()) {
    if (first === null) continue
    for (const [other, second] of measured.slice(at + 1)) {
      if (second === null || Math.abs(second - first) < changeMin) continue
      const similarity = tanimoto(fingerprints[one], fingerprints[other])
      if (similarity < similarityMin) continue
      const [weaker, stronger] = first < second ? [one, other] : [other, one]
      cliffs.push({ weaker, stronger, similarity, change: Math.abs(second - first) })
    }
  }
  return cliffs.toSorted((a, b) => b.change - a.change || b.similarity - a.similarity)
}

function findNeighbours(fingerprints: Fingerprints, similarityMin: number): number[][] {
  const neighbours: number[][] = fingerprints.map(() => [])
  const sizes = fingerprints.map((fingerprint) =>
    fingerprint === null ? 0 : countBits(fingerprint),
  )
  for (const [place, one] of fingerprints.entries()) {
    if (one === null) continue
    for (let other = 0; other < place; other += 1) {
      const [size, otherSize] = [sizes[place] ?? 0, sizes[other] ?? 0]
      // The similarity is at most the ratio of the sizes.
      if (Math.min(size, otherSize) < similarityMin * Math.max(size, otherSize)) continue
      if (tanimoto(one, fingerprints[other]) < similarityMin) continue
      neighbours[place]?.push(other)
      neighbours[other]?.push(place)
    }
  }
  return neighbours.map((some) => some.toSorted((a, b) => a - b))
}

/** 0 if either is missing. */
export function tanimoto(
  one: Uint32Array | null | undefined,
  other: Uint32Array | null | undefined,
): number {
  if (!one || !other) return 0
  let [shared, either] = [0, 0]
  for (let at = 0; at < one.length; at += 1) {
    const [mine, theirs] = [one[at] as number, other[at] as number]
    shared += countOnes(mine & theirs)
    either += countOnes(mine | theirs)
  }
  return either === 0 ? 1 : shared / either
}

function countBits(words: Uint32Array): number {
  return words.reduce((sum, word) => sum + countOnes(word), 0)
}

/** Population count: adds the bits of a word in pairs, then in fours and eights. */
function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55)
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33)
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24
}
