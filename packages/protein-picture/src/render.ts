/**
 * Renders a scene to pixels, several samples per pixel: light, shadow, outlines and fog in the theme's colours, then
 * averaged.
 */
import { type Occlusion, ambientOcclusion } from './ambient-occlusion.ts'
import { type Frame, project } from './camera.ts'
import type { Orientation } from './orientation.ts'
import type { Palette } from './palette.ts'
import { type SampleGrid, emptySamples, fillBalls, fillTriangles } from './rasterise.ts'
import type { Scene } from './scene.ts'

/** Width of an outline as a share of the picture's height: one and a half pixels in 960. */
const LINE_SHARE = 1.5 / 960
/** Depth difference marked by an outline: in Å, and in samples where Å are small. */
const STEP = 0.8
const STEP_SAMPLES = 3

/** Red, green, blue and alpha of each pixel, row by row from the top; sides in pixels. */
export function renderScene(
  scene: Scene,
  orientation: Orientation,
  palette: Palette,
  { width, height }: Frame,
): Uint8ClampedArray {
  const pixel = samplesPerPixel(width * height)
  const samples = emptySamples(width * pixel, height * pixel)
  const projection = project(scene, orientation, samples)
  fillTriangles(samples, projection.mesh)
  fillBalls(samples, projection)
  const { scale, nearest, farthest } = projection
  const occlusion = ambientOcclusion(samples, { pixel, scale, strength: palette.occlusion })
  const line = Math.max(1, Math.round(samples.height * LINE_SHARE))
  const step = Math.max(STEP, STEP_SAMPLES / scale)
  return shade({ samples, occlusion, palette, pixel, line, step, nearest, farthest })
}

/** Samples per pixel side: small pictures need more and can afford them, large ones fewer. */
function samplesPerPixel(pixels: number): number {
  if (pixels <= 160 * 120) return 4
  if (pixels <= 320 * 240) return 3
  return pixels <= 1600 * 1200 ? 2 : 1
}

type Shading = {
  samples: SampleGrid
  occlusion: Occlusion
  palette: Palette
  /** Width of a pixel in samples. */
  pixel: number
  /** Width of an outline in samples. */
  line: number
  /** Depth difference in Å between two objects that an outline separates. */
  step: number
  nearest: number
  farthest: number
}

/** Sums over the samples of a pixel. */
type Sum = { red: number; green: number; blue: number; count: number }

/** Red, green, blue and alpha of each pixel, row by row; colours are not multiplied with alpha. */
function shade(shading: Shading): Uint8ClampedArray {
  const { width, height } = shading.occlusion
  const rgba = new Uint8ClampedArray(width * height * 4)
  const whole = shading.pixel ** 2
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = sumOfPixel(shading, x, y)
      if (sum.count === 0) continue
      const at = (y * width + x) * 4
      rgba[at] = sum.red / sum.count
      rgba[at + 1] = sum.green / sum.count
      rgba[at + 2] = sum.blue / sum.count
      rgba[at + 3] = (255 * sum.count) / whole
    }
  }
  return rgba
}

function sumOfPixel(shading: Shading, x: number, y: number): Sum {
  const { samples, pixel, occlusion } = shading
  const sum: Sum = { red: 0, green: 0, blue: 0, count: 0 }
  const open = occlusion.light[y * occlusion.width + x] ?? 1
  for (let row = y * pixel; row < (y + 1) * pixel; row++) {
    for (let column = x * pixel; column < (x + 1) * pixel; column++) {
      const index = row * samples.width + column
      const depth = samples.depth[index] ?? Number.NEGATIVE_INFINITY
      if (depth === Number.NEGATIVE_INFINITY) continue
      addSample(shading, sum, { index, column, row, depth, open })
    }
  }
  return sum
}

type Sample = { index: number; column: number; row: number; depth: number; open: number }

function addSample(shading: Shading, sum: Sum, sample: Sample): void {
  const { palette, nearest, farthest } = shading
  const { matte, shine } = lightOn(shading, sample)
  const line = outlineShare(shading, sample)
  const away = (nearest - sample.depth) / Math.max(1, farthest === nearest ? 1 : nearest - farthest)
  const fog = palette.fogShare * Math.min(1, Math.max(0, (away - 0.2) / 0.8))
  const own = shading.samples.colours[sample.index] ?? 0
  const finish = (shift: number) => {
    const lit = channel(own, shift) * matte + 255 * shine
    const lined = Math.min(255, lit) * (1 - line) + channel(palette.outline, shift) * line
    return lined * (1 - fog) + channel(palette.fog, shift) * fog
  }
  sum.red += finish(16)
  sum.green += finish(8)
  sum.blue += finish(0)
  sum.count++
}

function channel(colour: number, shift: number): number {
  return (colour >> shift) & 255
}

/** Towards the lamp, at the upper left in front of the picture, and half-way between lamp and viewer. */
const LAMP = { x: -0.36, y: 0.52, z: 0.775 }
const GLINT = { x: -0.191, y: 0.276, z: 0.942 }
const GLINT_SHARPNESS = 32

function lightOn({ samples, palette }: Shading, { index, open }: Sample) {
  const x = samples.normals[index * 3] ?? 0
  const y = samples.normals[index * 3 + 1] ?? 0
  const z = Math.max(0, samples.normals[index * 3 + 2] ?? 0)
  const length = Math.sqrt(x * x + y * y + z * z) || 1
  const lamp = Math.max(0, (x * LAMP.x + y * LAMP.y + z * LAMP.z) / length)
  const glint = Math.max(0, (x * GLINT.x + y * GLINT.y + z * GLINT.z) / length)
  const sky = 0.5 + (0.5 * y) / length
  const rim = palette.rim * (1 - z / length) ** 3
  return {
    matte: (palette.ambient * (0.86 + 0.14 * sky) + palette.lamp * lamp + rim) * open,
    shine: palette.shine * glint ** GLINT_SHARPNESS * open,
  }
}

/** Lines are on the near side of a depth difference; a small one gets a faint line. */
function outlineShare({ samples, palette, line, step }: Shading, sample: Sample): number {
  const { column, row, depth } = sample
  let deepest = depth
  let isSilhouette = false
  for (const [across, down] of [
    [line, 0],
    [-line, 0],
    [0, line],
    [0, -line],
  ] as const) {
    const other = depthAt(samples, column + across, row + down)
    if (other === Number.NEGATIVE_INFINITY) isSilhouette = true
    else deepest = Math.min(deepest, other)
  }
  const inside = palette.outlineShare * Math.min(1, Math.max(0, (depth - deepest) / step - 1))
  return isSilhouette ? Math.max(inside, palette.silhouetteShare) : inside
}

function depthAt(samples: SampleGrid, column: number, row: number): number {
  if (column < 0 || row < 0 || column >= samples.width || row >= samples.height) {
    return Number.NEGATIVE_INFINITY
  }
  return samples.depth[row * samples.width + column] ?? Number.NEGATIVE_INFINITY
}
