/**
 * Ambient light per pixel, 0 to 1, by how much rises above its surface nearby and farther away (after McGuire, Scalable
 * Ambient Obscurance, 2012): creases and pits become dark.
 */
import type { SampleGrid } from './rasterise.ts'

export type OcclusionSettings = {
  /** Samples a pixel is wide. */
  pixel: number
  /** Samples per Å. */
  scale: number
  strength: number
}

/** Radii in Å, their share of the shadow, and the number of samples. */
const RINGS = [
  { radius: 3.5, share: 0.5, looks: 10 },
  { radius: 14, share: 0.75, looks: 12 },
] as const

/** The pixels of a tile look in different directions, ordered so that similar ones are apart. */
const TURNS = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5] as const

/** Turns of the spiral along which a ring looks. */
const SPIRAL = 7
/** Minimum rise in Å that casts a shadow, so that a surface does not shade itself. */
const BIAS = 0.15

/** One value per pixel: 1 is open, 0 is enclosed. */
export function ambientOcclusion(samples: SampleGrid, settings: OcclusionSettings): Occlusion {
  const width = Math.ceil(samples.width / settings.pixel)
  const height = Math.ceil(samples.height / settings.pixel)
  const light = new Float32Array(width * height).fill(1)
  const rings = ringsFor(settings)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = readSurface(samples, x * settings.pixel, y * settings.pixel)
      const turn = (y % TILE) * TILE + (x % TILE)
      if (here !== null) light[y * width + x] = lightAt(samples, here, rings, turn)
    }
  }
  return blurOcclusion(samples, { width, height, light }, settings.pixel)
}

/** Sampling offsets, in samples and in Å. */
type Look = { across: number; down: number; x: number; y: number; squared: number }

type Ring = { radius: number; strength: number; looks: Look[][] }

function ringsFor({ scale, strength }: OcclusionSettings): Ring[] {
  return RINGS.map(({ radius, share, looks }) => ({
    radius,
    strength: (4 * strength * share) / looks,
    looks: TURNS.map((turn) =>
      Array.from({ length: looks }, (_, look) => {
        const reach = ((look + 0.5) / looks) * radius
        const angle = (((look + 0.5) * SPIRAL) / looks + turn / TURNS.length) * 2 * Math.PI
        const across = Math.round(Math.cos(angle) * reach * scale)
        const down = Math.round(Math.sin(angle) * reach * scale)
        const [x, y] = [across / scale, -down / scale]
        return { across, down, x, y, squared: x * x + y * y }
      }),
    ),
  }))
}

/** The surface at a sample: its depth and its unit normal. */
type Surface = { column: number; row: number; depth: number; x: number; y: number; z: number }

function readSurface(samples: SampleGrid, column: number, row: number): Surface | null {
  const index = row * samples.width + column
  const depth = samples.depth[index] ?? Number.NEGATIVE_INFINITY
  if (depth === Number.NEGATIVE_INFINITY) return null
  const x = samples.normals[index * 3] ?? 0
  const y = samples.normals[index * 3 + 1] ?? 0
  const z = samples.normals[index * 3 + 2] ?? 0
  const length = Math.sqrt(x * x + y * y + z * z) || 1
  return { column, row, depth, x: x / length, y: y / length, z: z / length }
}

function lightAt(samples: SampleGrid, here: Surface, rings: Ring[], turn: number): number {
  let light = 1
  for (const { looks, radius, strength } of rings) {
    light *= Math.max(0, 1 - strength * shadowOn(samples, here, looks[turn] ?? [], radius))
  }
  return light
}

/** The sum of what rises above the surface, less with distance. */
function shadowOn(samples: SampleGrid, here: Surface, looks: Look[], radius: number): number {
  const { width, height, depth } = samples
  const fade = 1 / (2 * radius * radius)
  let sum = 0
  for (const look of looks) {
    const column = here.column + look.across
    const row = here.row + look.down
    if (column < 0 || row < 0 || column >= width || row >= height) continue
    const rise = (depth[row * width + column] ?? 0) - here.depth
    // Far behind, or empty.
    if (rise < -radius) continue
    const above = look.x * here.x + look.y * here.y + rise * here.z - BIAS
    const squared = look.squared + rise * rise
    if (above > 0) sum += (above * Math.max(0, 1 - squared * fade)) / Math.sqrt(squared + 0.1)
  }
  return sum
}

// The blur removes the pattern of sampling directions in neighbouring pixels, but does not cross edges.

/** One value per pixel of the picture, not per sample. */
export type Occlusion = { width: number; height: number; light: Float32Array }

/** Pixels across the pattern, and across the blur: equal, so that the blur removes the pattern. */
const TILE = 4

/** Depth difference in Å beyond which a neighbour is another object. */
const SAME_DEPTH = 1.5

function blurOcclusion(
  samples: SampleGrid,
  { width, height, light }: Occlusion,
  pixel: number,
): Occlusion {
  const depth = pixelDepths(samples, { width, height, pixel })
  const blurred = new Float32Array(width * height).fill(1)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = y * width + x
      if (depth[index] === Number.NEGATIVE_INFINITY) continue
      blurred[index] = meanAround(
        { depth, light, width },
        index,
        reachOf(x, width),
        reachOf(y, height),
      )
    }
  }
  return { width, height, light: blurred }
}

function pixelDepths(
  samples: SampleGrid,
  { width, height, pixel }: { width: number; height: number; pixel: number },
): Float32Array {
  return Float32Array.from({ length: width * height }, (_, index) => {
    const row = Math.floor(index / width) * pixel
    return samples.depth[row * samples.width + (index % width) * pixel] ?? 0
  })
}

type Reach = { from: number; to: number }

/** Steps to the first and the last pixel of the tile around a position, kept inside the picture. */
function reachOf(place: number, size: number): Reach {
  return { from: Math.max(-1, -place), to: Math.min(TILE - 2, size - 1 - place) }
}

function meanAround(
  { depth, light, width }: { depth: Float32Array; light: Float32Array; width: number },
  index: number,
  across: Reach,
  down: Reach,
): number {
  const here = depth[index] ?? 0
  let sum = 0
  let count = 0
  for (let y = down.from; y <= down.to; y++) {
    for (let x = across.from; x <= across.to; x++) {
      const other = index + y * width + x
      if (Math.abs((depth[other] ?? 0) - here) > SAME_DEPTH) continue
      sum += light[other] ?? 0
      count++
    }
  }
  return sum / Math.max(1, count)
}
