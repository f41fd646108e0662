/** How finely and how boldly a structure is drawn, so that it is readable at the size it will have. */
import { FRAME_HEIGHT_MIN, type Frame } from './camera.ts'
import type { View } from './choose-view.ts'
import { viewOf } from './orientation.ts'
import type { Detail } from '../scene/drawing.ts'
import { scaleToFit } from './turn-to-fill.ts'

/** Half-thickness of a loop in Å, where there is room for it. */
const TUBE = 0.3
/** The same at the least: in pixels, and as a share of the picture's height. */
const TUBE_PIXELS_MIN = 1.1
const TUBE_SHARE_MIN = 1 / 290

export function chooseDetail({ points, orientation }: View, frame: Frame): Detail {
  const flat = points.map((point) => viewOf(orientation, point))
  const scale = Math.min(scaleToFit(flat, 0, frame), frame.height / FRAME_HEIGHT_MIN)
  const thinnest = Math.max(TUBE_PIXELS_MIN, frame.height * TUBE_SHARE_MIN)
  const tube = Math.max(TUBE, thinnest / scale)
  if (points.length <= 1500) return { tube, stationsPerResidue: 8, stepsPerCorner: 3 }
  if (points.length <= 10_000) return { tube, stationsPerResidue: 4, stepsPerCorner: 2 }
  return { tube, stationsPerResidue: 2, stepsPerCorner: 1 }
}
