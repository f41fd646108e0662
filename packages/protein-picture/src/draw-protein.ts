/**
 * Draws a structure as a cartoon: ribbons and arrows, ligands as balls and sticks, on a transparent background, for a
 * light or a dark page. Deterministic, and bounded work for any file. A structure without atoms gives an empty picture.
 */
import type { Ligand, Structure } from '@pkdex/biochem'
import { place } from './backbone.ts'
import { buildScene } from './build-scene.ts'
import { FRAME_HEIGHT_MIN, type Frame } from './camera.ts'
import type { Vector } from './geometry.ts'
import {
  type Orientation,
  type Subject,
  chooseOrientation,
  scaleToFit,
  turnToFill,
  viewOf,
} from './orientation.ts'
import { type Theme, palettes } from './palette.ts'
import { renderScene } from './render.ts'
import type { Detail } from './scene.ts'
import { type Segment, traceSegments } from './trace.ts'

export type ProteinPicture = {
  width: number
  height: number
  /** Red, green, blue and alpha per pixel, row by row from the top. */
  rgba: Uint8ClampedArray
}

/** Sides in pixels, 16 to 2048. */
export type PictureOptions = { width: number; height: number; theme: Theme }

const SIDE_MIN = 16
const SIDE_MAX = 2048

/** Deterministic. Throws a `RangeError` if a side is out of range. */
export function drawProtein(structure: Structure, options: PictureOptions): ProteinPicture {
  const { width, height, theme } = options
  requireSide('width', width)
  requireSide('height', height)
  const palette = palettes[theme]
  const segments = traceSegments(structure)
  const view = chooseView(structure, segments, options)
  const detail = chooseDetail(view, options)
  const scene = buildScene(structure, segments, palette, detail)
  return { width, height, rgba: renderScene(scene, view.orientation, palette, options) }
}

function requireSide(name: string, side: number): void {
  if (Number.isInteger(side) && side >= SIDE_MIN && side <= SIDE_MAX) return
  throw new RangeError(`The ${name} of a picture is ${SIDE_MIN} to ${SIDE_MAX} whole pixels.`)
}

// The view: parts that define the shape, parts that should be visible, and parts that may hide them.

type View = { orientation: Orientation; points: readonly Vector[] }

function chooseView(
  structure: Structure,
  segments: readonly Segment[],
  frame: { width: number; height: number },
): View {
  const subject = subjectOf(structure, segments)
  const orientation = chooseOrientation(subject, frame.height > frame.width)
  return { orientation: turnToFill(orientation, subject.points, frame), points: subject.points }
}

/** Smaller groups are salts and solvents: drawn, but without influence on the orientation. */
const LIGAND_ATOMS_MIN = 7
/** Larger groups from crystallisation or purification, or coating the protein. */
const ADDITIVES = new Set(
  'PEG PG4 PGE 1PE P6G PE4 15P EPE MES TRS BTB CIT FLC MPD BOG LMT OLA OLC NAG MAN BMA FUC'.split(
    ' ',
  ),
)
/** A trace with fewer points has no shape. */
const TRACE_MIN = 4

function subjectOf({ ligands }: Structure, segments: readonly Segment[]): Subject {
  const trace = segments.flatMap((segment) => segment.points)
  const places = trace.map((point) => point.place)
  const atoms = atomsOf(ligands.filter(isOfInterest))
  if (places.length < TRACE_MIN) places.push(...atomsOf(ligands))
  if (atoms.length > 0) return { points: places, focus: atoms, cover: places }
  const focus = trace.filter((point) => point.kind !== 'coil').map((point) => point.place)
  const cover = trace.filter((point) => point.kind === 'coil').map((point) => point.place)
  return { points: places, focus, cover }
}

function isOfInterest({ name, atoms }: Ligand): boolean {
  return atoms.length >= LIGAND_ATOMS_MIN && !ADDITIVES.has(name)
}

function atomsOf(ligands: readonly Ligand[]): Vector[] {
  return ligands.flatMap((ligand) => ligand.atoms.map(place))
}

// Level of detail and line thickness, for legibility at the final size.

/** Half-thickness of a loop in Å, if there is room for it. */
const TUBE = 0.3
/** The minimum: in pixels, and as a share of the picture's height. */
const TUBE_PIXELS_MIN = 1.1
const TUBE_SHARE_MIN = 1 / 290

function chooseDetail({ points, orientation }: View, frame: Frame): Detail {
  const flat = points.map((point) => viewOf(orientation, point))
  const scale = Math.min(scaleToFit(flat, 0, frame), frame.height / FRAME_HEIGHT_MIN)
  const thinnest = Math.max(TUBE_PIXELS_MIN, frame.height * TUBE_SHARE_MIN)
  const tube = Math.max(TUBE, thinnest / scale)
  if (points.length <= 1500) return { tube, stationsPerResidue: 8, stepsPerCorner: 3 }
  if (points.length <= 10_000) return { tube, stationsPerResidue: 4, stepsPerCorner: 2 }
  return { tube, stationsPerResidue: 2, stepsPerCorner: 1 }
}
