/** Adds the ribbon of one stretch of a chain, and for nucleic acids the bases along it. */
import type { Chain, Residue } from '../../../pdb/structure.ts'
import { place } from '../trace/backbone.ts'
import type { ColourAt, Drawing } from './drawing.ts'
import { addStrip, ringOutline } from './mesh.ts'
import { pathPoint, ribbonPath } from './ribbon-path.ts'
import { shapeStations } from './ribbon-shape.ts'
import { addStick } from './sticks.ts'
import type { Stretch } from '../trace/trace.ts'
import type { Vector } from '../trace/vector.ts'

export function drawRibbon(
  drawing: Drawing,
  chain: Chain,
  stretch: Stretch,
  colourAt: ColourAt,
): void {
  const { scene, detail } = drawing
  const isNucleic = chain.kind === 'nucleic acid'
  const path = ribbonPath(stretch)
  const rings = shapeStations(stretch.points, { ...detail, isNucleic }).map((station) => ({
    ...station,
    point: pathPoint(path, station.at),
    colour: colourAt(stretch.first + station.at * stretch.stride),
  }))
  addStrip(scene.mesh, rings, ringOutline(detail.stepsPerCorner))
  if (rings.length === 0) addLoneResidue(drawing, stretch, colourAt)
  if (!isNucleic) return
  for (const [index, from] of path.places.entries()) {
    const number = stretch.first + index * stretch.stride
    const residue = chain.residues[number]
    if (residue) drawBase(drawing, { residue, from, colour: colourAt(number) })
  }
}

/** No ribbon passes through a single point. */
function addLoneResidue({ scene, detail }: Drawing, stretch: Stretch, colourAt: ColourAt): void {
  const [point] = stretch.points
  if (!point) return
  const colour = colourAt(stretch.first)
  scene.balls.push({ place: point.place, radius: detail.tube * 2, colour })
}

function drawBase(
  { scene, detail }: Drawing,
  { residue, from, colour }: { residue: Residue; from: Vector; colour: number },
): void {
  const tip = baseTip(residue)
  if (tip === null) return
  const radius = detail.tube * 1.3
  const ends = [
    { place: from, colour },
    { place: tip, colour },
  ] as const
  addStick(scene.mesh, ends, radius, ringOutline(detail.stepsPerCorner))
  scene.balls.push({ place: tip, radius, colour })
}

/** The atom of a base that faces its partner: N1 of the large ones, which alone have an N9, else N3. */
function baseTip(residue: Residue): Vector | null {
  const find = (name: string) => residue.atoms.find((atom) => atom.name === name)
  const tip = find('N9') ? find('N1') : (find('N3') ?? find('N1'))
  return tip ? place(tip) : null
}
