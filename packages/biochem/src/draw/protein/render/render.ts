/** Turns a scene into the pixels that a viewer sees, several samples a pixel. */
import { project, type Frame } from '../view/camera.ts'
import { fillBalls } from './fill-balls.ts'
import { fillTriangles } from './fill-triangles.ts'
import { ambientOcclusion } from './occlusion.ts'
import type { Orientation } from '../view/orientation.ts'
import type { Palette } from '../scene/palette.ts'
import { emptySamples } from './sample-grid.ts'
import type { Scene } from '../scene/drawing.ts'
import { shade } from './shade.ts'

/** Width of an outline as a share of the picture's height: one and a half pixels in 960. */
const LINE_SHARE = 1.5 / 960
/** A step in depth that an outline marks: in Å, and in samples where Å are small. */
const STEP = 0.8
const STEP_SAMPLES = 3

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

/** Samples that a pixel is wide: small pictures need more and can afford them, large ones the reverse. */
function samplesPerPixel(pixels: number): number {
  if (pixels <= 160 * 120) return 4
  if (pixels <= 320 * 240) return 3
  return pixels <= 1600 * 1200 ? 2 : 1
}
