/** Projects a scene for the viewer: rotated, with slight perspective, centred and as large as the frame allows. */
import type { Vector } from './geometry.ts'
import { type Orientation, viewOf } from './orientation.ts'
import type { Mesh, Scene } from './scene.ts'

export type Frame = { width: number; height: number }

/** A scene in samples of the frame, x to the right and y down; depth stays in Å, larger is nearer. */
export type Projection = {
  mesh: Mesh
  balls: { x: number; y: number; depth: number; radius: number; colour: number }[]
  /** Samples per Å in the middle of the scene. */
  scale: number
  nearest: number
  farthest: number
}

const MARGIN = 0.04
/** The eye's distance in sizes of the scene: far enough to avoid visible distortion. */
const EYE_DISTANCE = 3.5
/** At least this many Å fit into the frame, so that three atoms do not fill it. */
export const FRAME_HEIGHT_MIN = 15

/** `frame` in samples. The scene itself is not changed. */
export function project(scene: Scene, orientation: Orientation, frame: Frame): Projection {
  const mesh = turnMesh(scene.mesh, orientation)
  const balls = scene.balls.map((ball) => ({ ...ball, place: viewOf(orientation, ball.place) }))
  const box = emptyBox()
  for (let at = 0; at < mesh.vertexCount * 3; at += 3) widen(box, vectorAt(mesh.positions, at), 0)
  for (const ball of balls) widen(box, ball.place, ball.radius)
  const eye = box.reach * EYE_DISTANCE + 1
  const lens = fitLens(mesh, balls, { frame, eye })
  for (let at = 0; at < mesh.vertexCount * 3; at += 3) {
    write(mesh.positions, at, throughLens(lens, vectorAt(mesh.positions, at)))
  }
  return {
    mesh,
    balls: balls.map((ball) => {
      const [x, y, depth] = throughLens(lens, ball.place)
      const radius = ball.radius * lens.scale * nearness(lens, depth)
      return { x, y, depth, radius, colour: ball.colour }
    }),
    scale: lens.scale,
    nearest: box.near,
    farthest: box.far,
  }
}

type Lens = { eye: number; scale: number; x: number; y: number }
type PlacedBall = { place: Vector; radius: number }

function nearness({ eye }: Lens, depth: number): number {
  return eye / (eye - depth)
}

function throughLens(lens: Lens, [x, y, depth]: Vector): Vector {
  const factor = lens.scale * nearness(lens, depth)
  return [lens.x + x * factor, lens.y - y * factor, depth]
}

function fitLens(
  mesh: Mesh,
  balls: readonly PlacedBall[],
  { frame, eye }: { frame: Frame; eye: number },
): Lens {
  const plain: Lens = { eye, scale: 1, x: 0, y: 0 }
  const box = emptyBox()
  for (let at = 0; at < mesh.vertexCount * 3; at += 3) {
    widen(box, throughLens(plain, vectorAt(mesh.positions, at)), 0)
  }
  for (const { place, radius } of balls) widen(box, throughLens(plain, place), radius)
  const inner = 1 - 2 * MARGIN
  const scale = Math.min(
    (frame.width * inner) / Math.max(1e-6, box.right - box.left),
    (frame.height * inner) / Math.max(1e-6, box.bottom - box.top),
    frame.height / FRAME_HEIGHT_MIN,
  )
  return {
    eye,
    scale,
    x: frame.width / 2 - (scale * (box.left + box.right)) / 2,
    y: frame.height / 2 - (scale * (box.top + box.bottom)) / 2,
  }
}

type Box = {
  left: number
  right: number
  top: number
  bottom: number
  near: number
  far: number
  /** Greatest distance from the middle. */
  reach: number
}

function emptyBox(): Box {
  const { POSITIVE_INFINITY: least, NEGATIVE_INFINITY: most } = Number
  return { left: least, right: most, top: least, bottom: most, near: most, far: least, reach: 0 }
}

function widen(box: Box, [x, y, depth]: Vector, radius: number): void {
  box.left = Math.min(box.left, x - radius)
  box.right = Math.max(box.right, x + radius)
  box.top = Math.min(box.top, y - radius)
  box.bottom = Math.max(box.bottom, y + radius)
  box.near = Math.max(box.near, depth + radius)
  box.far = Math.min(box.far, depth - radius)
  box.reach = Math.max(box.reach, Math.hypot(x, y, depth) + radius)
}

function turnMesh(mesh: Mesh, orientation: Orientation): Mesh {
  const positions = new Float32Array(mesh.vertexCount * 3)
  const normals = new Float32Array(mesh.vertexCount * 3)
  const turnOnly = { ...orientation, centre: [0, 0, 0] } as const
  for (let at = 0; at < positions.length; at += 3) {
    write(positions, at, viewOf(orientation, vectorAt(mesh.positions, at)))
    write(normals, at, viewOf(turnOnly, vectorAt(mesh.normals, at)))
  }
  return { ...mesh, positions, normals }
}

function vectorAt(values: Float32Array, at: number): Vector {
  return [values[at] ?? 0, values[at + 1] ?? 0, values[at + 2] ?? 0]
}

function write(values: Float32Array, at: number, [x, y, z]: Vector): void {
  values[at] = x
  values[at + 1] = y
  values[at + 2] = z
}
