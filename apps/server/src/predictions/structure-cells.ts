/** Packs the stored poses of a block: features or a reason per row, and coordinates in hundredths of an Å. */
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'

const toGzip = promisify(gzip)
const fromGzip = promisify(gunzip)

/** Null for a row without a molecule, a text if it could not be placed. */
export type PlacedRow = PlacedFeatures | string | null
type PlacedFeatures = {
  /** How much better than the reference ligand, in kcal/mol. */
  pose: number
  similarity: number
  /** Difference from other compounds of the screen in pK; null if the run does not use it. */
  difference: number | null
  keepsStereo: boolean
  x: Float64Array
}
/** Without coordinates. */
export type FeatureRow = (Omit<PlacedFeatures, 'x'> & { atoms: number }) | string | null

const PackedRows = z.array(
  z.union([
    z.null(),
    z.string(),
    z.tuple([z.number(), z.number(), z.boolean(), z.number(), z.number().optional()]),
  ]),
)
const STEPS_PER_ANGSTROM = 100
/** Three two-byte numbers in whole Å; the coordinates of the block are relative to this origin. */
const ORIGIN_BYTES = 6

export type PackedPlaced = {
  results: Buffer
  poses: Buffer
  placed: number
  poseSum: number
  similaritySum: number
  /** Null if any row has none. */
  differenceSum: number | null
}

export async function packPlaced(rows: PlacedRow[]): Promise<PackedPlaced> {
  const placed = rows.filter(isPlaced)
  const kept = rows.map((row) => {
    if (!isPlaced(row)) return row
    const { pose, similarity, keepsStereo, x, difference } = row
    return [
      pose,
      similarity,
      keepsStereo,
      x.length / 3,
      ...(difference === null ? [] : [difference]),
    ]
  })
  const differences = placed.flatMap(({ difference }) => difference ?? [])
  return {
    results: await toGzip(JSON.stringify(kept)),
    poses: await toGzip(packCoordinates(placed.map(({ x }) => x))),
    placed: placed.length,
    poseSum: placed.reduce((sum, { pose }) => sum + pose, 0),
    similaritySum: placed.reduce((sum, { similarity }) => sum + similarity, 0),
    differenceSum:
      differences.length < placed.length ? null : differences.reduce((sum, one) => sum + one, 0),
  }
}

export async function unpackFeatures(results: Buffer): Promise<FeatureRow[]> {
  const rows = PackedRows.parse(JSON.parse((await fromGzip(results)).toString('utf8')))
  return rows.map((row) => {
    if (row === null || typeof row === 'string') return row
    const [pose, similarity, keepsStereo, atoms, difference = null] = row
    return { pose, similarity, keepsStereo, atoms, difference }
  })
}

/** Coordinates of the placed rows, in row order. */
export async function unpackCoordinates(
  rows: FeatureRow[],
  poses: Buffer,
): Promise<Float64Array[]> {
  const bytes = await fromGzip(poses)
  let at = ORIGIN_BYTES
  return rows.filter(isPlaced).map(({ atoms }) =>
    Float64Array.from({ length: 3 * atoms }, (_, place) => {
      const step = bytes.readInt16LE(at)
      at += 2
      return bytes.readInt16LE(2 * (place % 3)) + step / STEPS_PER_ANGSTROM
    }),
  )
}

function isPlaced<Row extends object>(row: Row | string | null): row is Row {
  return row !== null && typeof row !== 'string'
}

/** Poses of one pocket are within a few dozen Å of each other. */
function packCoordinates(poses: Float64Array[]): Buffer {
  const origin = [0, 1, 2].map((axis) => Math.round(poses[0]?.[axis] ?? 0))
  const numbers = poses.flatMap((x) =>
    [...x].map((value, place) =>
      Math.round((value - (origin[place % 3] ?? 0)) * STEPS_PER_ANGSTROM),
    ),
  )
  return Buffer.from(Int16Array.from([...origin, ...numbers]).buffer)
}
