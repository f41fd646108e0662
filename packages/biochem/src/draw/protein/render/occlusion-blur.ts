/** Evens out the pattern in which neighbouring pixels looked for shadows, but not across edges. */
import type { SampleGrid } from './sample-grid.ts'

/** One value a pixel of the picture, not a sample. */
export type Occlusion = { width: number; height: number; light: Float32Array }

/** Pixels across the pattern, and across the blur, which is why nothing of the pattern stays. */
export const TILE = 4

/** Å of depth past which a neighbour is another thing. */
const SAME_DEPTH = 1.5

export function blurOcclusion(
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

/** Steps to the first and the last pixel of the tile around a place, kept inside the picture. */
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
