/**
 * Decides how each part of a structure is drawn, and in which colour: small peptides atom by atom, chains as ribbons,
 * gaps as dots, nucleic acids with their bases.
 */
import type { Chain, Residue, Structure } from '@pkdex/biochem'
import { place } from './backbone.ts'
import { addStick, drawAtoms, drawLigands } from './draw-atoms.ts'
import { type Vector, distance, mix } from './geometry.ts'
import { type Palette, chainColour, rainbowColour } from './palette.ts'
import { pathPoint, ribbonPath, shapeStations } from './ribbon.ts'
import {
  type ColourAt,
  type Detail,
  type Drawing,
  type Scene,
  addStrip,
  emptyDrawing,
  ringOutline,
} from './scene.ts'
import type { Segment } from './trace.ts'

/** Maximum size of a peptide shown atom by atom. */
const PEPTIDE_RESIDUES_MAX = 24

/** Positions are those of the file, in Å; colours are those of the palette. */
export function buildScene(
  structure: Structure,
  segments: readonly Segment[],
  palette: Palette,
  detail: Detail,
): Scene {
  const drawing = emptyDrawing(palette, detail)
  const residues = structure.chains.flatMap((chain) => chain.residues)
  const hasSideGroups = residues.some((residue) => residue.atoms.length > 1)
  if (residues.length <= PEPTIDE_RESIDUES_MAX && hasSideGroups) {
    drawAtoms(
      drawing,
      residues.flatMap((residue) => residue.atoms),
    )
  } else {
    const colours = colourChains(structure, palette)
    for (const segment of segments) {
      const chain = structure.chains[segment.chain]
      const colourAt = colours[segment.chain]
      if (chain && colourAt) drawRibbon(drawing, chain, segment, colourAt)
    }
    drawGaps(drawing, segments)
  }
  drawLigands(drawing, structure.ligands)
  return drawing.scene
}

/** A single protein chain gets the rainbow and others are pale; several have a hue each. */
function colourChains({ chains }: Structure, palette: Palette): ColourAt[] {
  const proteins = chains.filter((chain) => chain.kind === 'protein').length
  const hues = proteins === 1 ? palette.companions : palette.chains
  return chains.map(({ kind, residues }, index) => {
    const last = Math.max(1, residues.length - 1)
    const isAlone = chains.length === 1 || (kind === 'protein' && proteins === 1)
    return (residue) =>
      isAlone ? rainbowColour(palette, residue / last) : chainColour(hues, index, residue / last)
  })
}

// The ribbon of one segment of a chain, and for nucleic acids the bases along it.

function drawRibbon(drawing: Drawing, chain: Chain, segment: Segment, colourAt: ColourAt): void {
  const { scene, detail } = drawing
  const isNucleic = chain.kind === 'nucleic acid'
  const path = ribbonPath(segment)
  const rings = shapeStations(segment.points, { ...detail, isNucleic }).map((station) => ({
    ...station,
    point: pathPoint(path, station.at),
    colour: colourAt(segment.first + station.at * segment.stride),
  }))
  addStrip(scene.mesh, rings, ringOutline(detail.stepsPerCorner))
  if (rings.length === 0) addLoneResidue(drawing, segment, colourAt)
  if (!isNucleic) return
  for (const [index, from] of path.places.entries()) {
    const number = segment.first + index * segment.stride
    const residue = chain.residues[number]
    if (residue) drawBase(drawing, { residue, from, colour: colourAt(number) })
  }
}

/** No ribbon passes through a single point. */
function addLoneResidue({ scene, detail }: Drawing, segment: Segment, colourAt: ColourAt): void {
  const [point] = segment.points
  if (!point) return
  const colour = colourAt(segment.first)
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

/** The base atom that faces its partner: N1 of purines, which have an N9, otherwise N3. */
function baseTip(residue: Residue): Vector | null {
  const find = (name: string) => residue.atoms.find((atom) => atom.name === name)
  const tip = find('N9') ? find('N1') : (find('N3') ?? find('N1'))
  return tip ? place(tip) : null
}

// Dots where residues are missing: the chain continues, but its path is unknown.

/** Distances in Å for which a dotted line is clear; longer ones would only confuse. */
const LENGTH_MIN = 4
const LENGTH_MAX = 30
const SPACING = 1.6

function drawGaps(drawing: Drawing, segments: readonly Segment[]): void {
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1]
    const from = before?.points.at(-1)?.place
    const to = segment.points[0]?.place
    if (from && to && before?.chain === segment.chain) drawDots(drawing, from, to)
  }
}

function drawDots({ scene, palette, detail }: Drawing, from: Vector, to: Vector): void {
  const length = distance(from, to)
  if (length < LENGTH_MIN || length > LENGTH_MAX) return
  const steps = Math.round(length / SPACING)
  const radius = detail.tube * 0.8
  for (let step = 1; step < steps; step++) {
    scene.balls.push({ place: mix(from, to, step / steps), radius, colour: palette.gap })
  }
}
