/**
 * A structure prepared for drawing, in file coordinates: balls, and triangles with a normal and colour per vertex, in
 * growing arrays.
 */
import { type Vector, cross, plus, times } from './geometry.ts'
import type { Palette } from './palette.ts'
import type { PathPoint, Shape } from './ribbon.ts'

/** Position and radius in Å; colour 0xRRGGBB. */
type Ball = { place: Vector; radius: number; colour: number }

export type Scene = { mesh: Mesh; balls: Ball[] }

/** How finely things are modelled, and how thick: a large structure in a small picture needs bolder lines. */
export type Detail = {
  /** Half-thickness of a loop in Å; everything else follows it. */
  tube: number
  stationsPerResidue: number
  stepsPerCorner: number
}

/** A scene being built. */
export type Drawing = { scene: Scene; palette: Palette; detail: Detail }

/** The colour of a chain at one of its residues, or between two. */
export type ColourAt = (residue: number) => number

export function emptyDrawing(palette: Palette, detail: Detail): Drawing {
  return { scene: { mesh: emptyMesh(), balls: [] }, palette, detail }
}

export type Mesh = {
  /** Three numbers per vertex. */
  positions: Float32Array
  normals: Float32Array
  /** 0xRRGGBB, one per vertex. */
  colours: Uint32Array
  /** Three vertices per triangle, counter-clockwise seen from outside. */
  triangles: Uint32Array
  vertexCount: number
  triangleCount: number
}

/** Points around a ring: which corner they round, and their direction from the middle of that corner. */
export type RingOutline = readonly { right: number; above: number; cos: number; sin: number }[]

/** A cross-section; `facing` ±1 makes it a flat face that faces forward or backward along the path. */
export type Ring = { point: PathPoint; shape: Shape; facing: -1 | 0 | 1; colour: number }

export function emptyMesh(): Mesh {
  return {
    positions: new Float32Array(0),
    normals: new Float32Array(0),
    colours: new Uint32Array(0),
    triangles: new Uint32Array(0),
    vertexCount: 0,
    triangleCount: 0,
  }
}

/** A rectangle with rounded corners; a circle if all lengths are equal. */
export function ringOutline(stepsPerCorner: number): RingOutline {
  return [0, 1, 2, 3].flatMap((corner) =>
    Array.from({ length: stepsPerCorner + 1 }, (_, step) => {
      const angle = ((corner + step / stepsPerCorner) * Math.PI) / 2
      return {
        right: corner === 0 || corner === 3 ? 1 : -1,
        above: corner < 2 ? 1 : -1,
        cos: Math.cos(angle),
        sin: Math.sin(angle),
      }
    }),
  )
}

/** Adds a strip through the rings, each joined to the previous one. */
export function addStrip(mesh: Mesh, rings: readonly Ring[], outline: RingOutline): void {
  reserve(mesh, rings.length * outline.length)
  for (const [index, ring] of rings.entries()) {
    addRing(mesh, ring, outline)
    if (index > 0) joinRings(mesh, outline.length)
  }
}

function addRing(mesh: Mesh, { point, shape, facing, colour }: Ring, outline: RingOutline): void {
  const { place, side, tangent } = point
  const up = cross(tangent, side)
  const face = facing === 0 ? null : times(tangent, facing)
  for (const { right, above, cos, sin } of outline) {
    const x = right * (shape.width - shape.corner) + shape.corner * cos
    const y = above * (shape.thickness - shape.corner) + shape.corner * sin
    const at = mesh.vertexCount * 3
    write(mesh.positions, at, plus(place, plus(times(side, x), times(up, y))))
    write(mesh.normals, at, face ?? plus(times(side, cos), times(up, sin)))
    mesh.colours[mesh.vertexCount] = colour
    mesh.vertexCount++
  }
}

/** Joins the last two rings by two triangles per side. */
function joinRings(mesh: Mesh, ringSize: number): void {
  const start = mesh.vertexCount - 2 * ringSize
  for (let i = 0; i < ringSize; i++) {
    const a = start + i
    const b = start + ((i + 1) % ringSize)
    addTriangle(mesh, [a, b, a + ringSize])
    addTriangle(mesh, [b, b + ringSize, a + ringSize])
  }
}

function addTriangle(mesh: Mesh, [a, b, c]: readonly [number, number, number]): void {
  const at = mesh.triangleCount * 3
  mesh.triangles[at] = a
  mesh.triangles[at + 1] = b
  mesh.triangles[at + 2] = c
  mesh.triangleCount++
}

function write(values: Float32Array, at: number, [x, y, z]: Vector): void {
  values[at] = x
  values[at + 1] = y
  values[at + 2] = z
}

/** Makes room for more vertices, and for two triangles with each. */
function reserve(mesh: Mesh, more: number): void {
  const needed = mesh.vertexCount + more
  if (needed <= mesh.colours.length) return
  const size = Math.max(4096, needed, mesh.colours.length * 2)
  const old = { ...mesh }
  mesh.positions = new Float32Array(size * 3)
  mesh.normals = new Float32Array(size * 3)
  mesh.colours = new Uint32Array(size)
  mesh.triangles = new Uint32Array(size * 6)
  mesh.positions.set(old.positions)
  mesh.normals.set(old.normals)
  mesh.colours.set(old.colours)
  mesh.triangles.set(old.triangles)
}
