/**
 * Draws a structure as a cartoon: ribbons and arrows, ligands as balls and sticks, on a transparent
 * ground, for a light or a dark page. The same structure gives the same bytes, and the work is bounded
 * whatever the file holds. A structure without atoms gives an empty picture.
 */
import type { Structure } from '../../pdb/structure.ts'
import { chooseDetail } from './view/choose-detail.ts'
import { chooseView } from './view/choose-view.ts'
import { palettes, type Theme } from './scene/palette.ts'
import { renderScene } from './render/render.ts'
import { buildScene } from './scene/build-scene.ts'
import { traceStretches } from './trace/trace.ts'

export type ProteinPicture = {
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row from the top. */
  rgba: Uint8ClampedArray
}

export type PictureOptions = { width: number; height: number; theme: Theme }

const SIDE_MIN = 16
const SIDE_MAX = 2048

export function drawProtein(structure: Structure, options: PictureOptions): ProteinPicture {
  const { width, height, theme } = options
  requireSide('width', width)
  requireSide('height', height)
  const palette = palettes[theme]
  const stretches = traceStretches(structure)
  const view = chooseView(structure, stretches, options)
  const detail = chooseDetail(view, options)
  const scene = buildScene(structure, stretches, palette, detail)
  return { width, height, rgba: renderScene(scene, view.orientation, palette, options) }
}

function requireSide(name: string, side: number): void {
  if (Number.isInteger(side) && side >= SIDE_MIN && side <= SIDE_MAX) return
  throw new RangeError(`The ${name} of a picture is ${SIDE_MIN} to ${SIDE_MAX} whole pixels.`)
}
