/** Draws a molecule as a structural formula: an SVG with a clear ground, for light or dark pages. */
import { type RdkitModule, trapped } from '../../smiles/open-rdkit.ts'
import { smilesLimits } from '../../smiles/limits.ts'
import { readGraph } from '../../smiles/molecule-graph.ts'
import { scanSmiles } from '../../smiles/scan-smiles.ts'
import { atomPalette, type DrawingTheme, inkColour } from './atom-palette.ts'
import { compactSvg, type PictureSize } from './compact-svg.ts'
import { describeMolecule } from './describe-molecule.ts'
import { layOut } from './lay-out.ts'

export type DrawingOptions = PictureSize & { theme: DrawingTheme }
/** `alt` says what the picture shows, for people who do not see it. */
export type MoleculeDrawing = { ok: true; svg: string; alt: string } | { ok: false; reason: string }

/** RDKit's names. */
type Details = PictureSize & Record<string, unknown>

/** A bond is never drawn longer, so that a small molecule is not blown up. */
const BOND_PIXELS_MAX = 36
/** Length of a bond in RDKit's coordinates once they are normalised. */
const BOND_UNITS = 1.5
/** From this many atoms on the lines are thinner. */
const CROWDED_ATOMS = 60

/** Throws an `RdkitTrap` where RDKit itself breaks: the module must be replaced then. */
export function drawMolecule(
  rdkit: RdkitModule,
  smiles: string,
  options: DrawingOptions,
): MoleculeDrawing {
  const scan = scanSmiles(smiles)
  if (!scan.ok) return { ok: false, reason: scan.reason }
  const most = smilesLimits.drawnAtoms
  if (scan.heavyAtoms > most) {
    const reason = `The molecule has ${scan.heavyAtoms} heavy atoms; more than ${most} are not drawn.`
    return { ok: false, reason }
  }
  const drawn = trapped(() => drawScanned(rdkit, smiles, drawingDetails(scan.heavyAtoms, options)))
  if (!drawn) return { ok: false, reason: 'This SMILES cannot be read as a molecule.' }
  return { ok: true, svg: compactSvg(drawn.svg, options), alt: describeMolecule(drawn.graph) }
}

function drawScanned(rdkit: RdkitModule, smiles: string, details: Details) {
  using molecule = rdkit.get_mol(smiles)
  if (!molecule) return null
  layOut(molecule, details.width >= details.height)
  const svg = molecule.get_svg_with_highlights(JSON.stringify(details))
  return { svg, graph: readGraph(molecule) }
}

function drawingDetails(heavyAtoms: number, options: DrawingOptions): Details {
  const { width, height, theme } = options
  const ink = inkColour(theme)
  return {
    width,
    height,
    clearBackground: false,
    fixedBondLength: BOND_PIXELS_MAX / BOND_UNITS,
    bondLineWidth: heavyAtoms > CROWDED_ATOMS ? 1.4 : 2,
    padding: 0.06,
    minFontSize: 4,
    atomColourPalette: atomPalette(theme),
    symbolColour: ink,
    annotationColour: ink,
    queryColour: ink,
  }
}
