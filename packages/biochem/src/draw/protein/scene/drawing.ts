/** What a structure becomes on its way to a picture: triangles and balls in the file's coordinates. */
import { emptyMesh, type Mesh } from './mesh.ts'
import type { Palette } from './palette.ts'
import type { Vector } from '../trace/vector.ts'

type Ball = { place: Vector; radius: number; colour: number }

export type Scene = { mesh: Mesh; balls: Ball[] }

/** How finely things are modelled, and how thick: a large structure in a small picture needs bolder lines. */
export type Detail = {
  /** Half-thickness of a loop in Å; everything else follows it. */
  tube: number
  stationsPerResidue: number
  stepsPerCorner: number
}

/** A scene in the making. */
export type Drawing = { scene: Scene; palette: Palette; detail: Detail }

/** The colour of a chain at one of its residues, or between two. */
export type ColourAt = (residue: number) => number

export function emptyDrawing(palette: Palette, detail: Detail): Drawing {
  return { scene: { mesh: emptyMesh(), balls: [] }, palette, detail }
}
