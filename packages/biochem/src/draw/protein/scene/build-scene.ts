/** Decides what of a structure is drawn how, and in which colour. */
import type { Structure } from '../../../pdb/structure.ts'
import { drawAtoms, drawLigands } from './draw-atoms.ts'
import { drawGaps } from './draw-gaps.ts'
import { emptyDrawing, type ColourAt, type Detail, type Scene } from './drawing.ts'
import { drawRibbon } from './draw-ribbon.ts'
import { chainColour, rainbowColour, type Palette } from './palette.ts'
import type { Stretch } from '../trace/trace.ts'

/** So small a peptide is shown atom by atom. */
const PEPTIDE_RESIDUES_MAX = 24

export function buildScene(
  structure: Structure,
  stretches: readonly Stretch[],
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
    for (const stretch of stretches) {
      const chain = structure.chains[stretch.chain]
      const colourAt = colours[stretch.chain]
      if (chain && colourAt) drawRibbon(drawing, chain, stretch, colourAt)
    }
    drawGaps(drawing, stretches)
  }
  drawLigands(drawing, structure.ligands)
  return drawing.scene
}

/** A lone protein chain runs through the rainbow and leaves the others pale; several have a hue each. */
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
