/** Draws a molecule as a structural formula: an SVG with a transparent background, for light or dark pages. */
import { counted } from '../sentences.ts'
import { elementSymbol, writeFormula } from '../smiles/formula.ts'
import { type MoleculeGraph, countHeavyAtoms, readGraph } from '../smiles/molecule-graph.ts'
import { type RdkitModule, type RdkitMolecule, smilesLimits, trapped } from '../smiles/rdkit.ts'
import { scanSmiles } from '../smiles/scan-smiles.ts'
import { alignToCore, type CommonCore } from './common-core.ts'
import { countRings, layOut } from './lay-out.ts'

export type DrawingOptions = PictureSize & {
  theme: DrawingTheme
  /** A molecule that contains the core is oriented like every other drawing with this core. */
  core?: CommonCore | null
}
/** `alt`: the text alternative. */
export type MoleculeDrawing = Drawing<{ svg: string; alt: string }>
/** Position of each atom in the picture, in pixels; atoms in SMILES order. */
export type PlacedDrawing = Drawing<{ svg: string; alt: string; atoms: PlacedAtom[] }>
type PlacedAtom = { element: string; x: number; y: number }

type Drawing<Picture> = ({ ok: true } & Picture) | { ok: false; reason: string }

/** RDKit's names. */
type Details = PictureSize & Record<string, unknown>

/** Maximum bond length as a share of the width, so that a small molecule is not enlarged. */
const BOND_PART_MAX = 0.14
/** The same for a core or a group. */
const PART_BOND = 0.24
/** Minimum letter size as a share of the width: 9 pixels at a displayed width of 220. */
const LETTER_PART_MIN = 0.041
/** Bond length in RDKit's normalised coordinates. */
const BOND_UNITS = 1.5
/** From this many atoms on, lines are thinner and letters as small as necessary. */
const CROWDED_ATOMS = 60

/** Throws an `RdkitTrap` if RDKit breaks: the module must be replaced then. */
export function drawMolecule(
  rdkit: RdkitModule,
  smiles: string,
  options: DrawingOptions,
): MoleculeDrawing {
  const drawn = drawChecked(rdkit, smiles, { ...options, marked: 0 })
  if (!drawn.ok) return drawn
  return { ok: true, svg: compactSvg(drawn.svg, options), alt: describeMolecule(drawn.graph) }
}

/** The same picture, for marking atoms on it. */
export function drawPlaced(
  rdkit: RdkitModule,
  smiles: string,
  options: DrawingOptions,
): PlacedDrawing {
  const drawn = drawChecked(rdkit, smiles, { ...options, marked: Number.POSITIVE_INFINITY })
  if (!drawn.ok) return drawn
  const atoms = readPlaces(drawn.svg, drawn.graph)
  const alt = describeMolecule(drawn.graph)
  return { ok: true, svg: compactSvg(drawn.svg, options), alt, atoms }
}

type CheckedOptions = DrawingOptions & {
  /** Number of atoms that RDKit marks to reveal their positions; the marks are removed. */
  marked: number
}

function drawChecked(
  rdkit: RdkitModule,
  smiles: string,
  options: CheckedOptions,
): Drawing<{ svg: string; graph: MoleculeGraph }> {
  const scan = scanSmiles(smiles)
  if (!scan.ok) return { ok: false, reason: scan.reason }
  const most = smilesLimits.drawnAtoms
  if (scan.heavyAtoms > most) {
    const reason = `The molecule has ${scan.heavyAtoms} heavy atoms; the drawing limit is ${most}.`
    return { ok: false, reason }
  }
  const details = drawingDetails(scan.heavyAtoms, options)
  const drawn = trapped(() => drawScanned(rdkit, smiles, details, options))
  if (!drawn) return { ok: false, reason: 'This is not valid SMILES.' }
  return { ok: true, ...drawn }
}

function drawScanned(
  rdkit: RdkitModule,
  smiles: string,
  details: Details,
  { core, marked }: CheckedOptions,
) {
  using molecule = rdkit.get_mol(smiles)
  if (!molecule) return null
  const isAligned = core ? alignToCore(rdkit, molecule, core) : false
  if (!isAligned) layOut(molecule, details.width >= details.height)
  const graph = readGraph(molecule)
  const atoms = [...graph.atoms.keys()].slice(0, marked)
  const svg = molecule.get_svg_with_highlights(JSON.stringify({ ...details, atoms, bonds: [] }))
  return { svg, graph }
}

/** A picture of a molecule with given coordinates, for example a core with its attachment points. */
export function drawLaidOut(molecule: RdkitMolecule, options: DrawingOptions): string {
  const heavyAtoms = countHeavyAtoms(readGraph(molecule))
  const details = JSON.stringify({
    ...drawingDetails(heavyAtoms, options),
    ...partDetails(options.width),
  })
  return compactSvg(molecule.get_svg_with_highlights(details), options)
}

/** Readable where a group is drawn 88 px wide on a phone: 10 px. */
const PART_LETTER_MIN = 19

/** A group of a few atoms fills its small picture. */
function partDetails(width: number): Partial<Details> {
  return {
    fixedBondLength: (PART_BOND * width) / BOND_UNITS,
    minFontSize: Math.max(PART_LETTER_MIN, Math.round(0.075 * width)),
  }
}

const marks = /<ellipse cx='(?<x>[\d.-]+)' cy='(?<y>[\d.-]+)'[^>]*class='atom-(?<atom>\d+)'/g

function readPlaces(svg: string, { atoms }: MoleculeGraph): PlacedAtom[] {
  const places = new Map(
    [...svg.matchAll(marks)].map(({ groups }) => [Number(groups?.['atom']), groups]),
  )
  return atoms.map(({ element }, index) => {
    const place = places.get(index)
    if (place === undefined) throw new Error('RDKit marked an atom nowhere')
    return { element: elementSymbol(element), x: Number(place['x']), y: Number(place['y']) }
  })
}

function drawingDetails(heavyAtoms: number, options: DrawingOptions): Details {
  const { width, height, theme } = options
  const ink = inkColour(theme)
  const isCrowded = heavyAtoms > CROWDED_ATOMS
  return {
    width,
    height,
    clearBackground: false,
    fixedBondLength: (BOND_PART_MAX * width) / BOND_UNITS,
    bondLineWidth: isCrowded ? 1.4 : 2.5,
    padding: 0.03,
    highlightRadius: 0.01,
    minFontSize: isCrowded ? 4 : Math.round(LETTER_PART_MIN * width),
    maxFontSize: Math.max(40, Math.round(LETTER_PART_MIN * width)),
    atomColourPalette: atomPalette(theme),
    symbolColour: ink,
    annotationColour: ink,
    queryColour: ink,
  }
}

function describeMolecule(graph: MoleculeGraph): string {
  const { atoms } = graph
  const heavy = countHeavyAtoms(graph)
  const rings = countRings(graph)
  const parts = [counted(heavy, 'heavy atom'), rings === 0 ? 'no rings' : counted(rings, 'ring')]
  return `Structural formula of ${writeFormula(atoms)}: ${parts.join(', ')}.`
}

// Atom colours, chosen for both backgrounds and never inverted.

export type DrawingTheme = 'light' | 'dark'

/** By atomic number; `-1` is every element not listed. */
type Palette = Readonly<Record<number, string>>

const light: Palette = {
  [-1]: '#1B2624',
  // Attachment points.
  0: '#1B2624',
  1: '#1B2624',
  5: '#9A4A1F',
  6: '#1B2624',
  7: '#1F4FB8',
  8: '#B3261E',
  9: '#0B6B73',
  15: '#A84E13',
  16: '#7A5A00',
  17: '#1F7A3A',
  35: '#8A3B2A',
  53: '#6B2FA0',
}

const dark: Palette = {
  [-1]: '#DDE5E2',
  0: '#DDE5E2',
  1: '#DDE5E2',
  5: '#F0AE86',
  6: '#DDE5E2',
  7: '#8FB4FF',
  8: '#FF9A8A',
  9: '#6FD6DE',
  15: '#F19A6D',
  16: '#E3C25A',
  17: '#7FD99A',
  35: '#E8A490',
  53: '#C9A6F5',
}

const palettes = { light, dark }

/** RDKit's format: atomic number to red, green and blue between 0 and 1. */
function atomPalette(theme: DrawingTheme): Record<string, [number, number, number]> {
  const entries = Object.entries(palettes[theme]).map(([element, colour]) => [
    element,
    readColour(colour),
  ])
  return Object.fromEntries(entries) as Record<string, [number, number, number]>
}

function inkColour(theme: DrawingTheme): [number, number, number] {
  return readColour(palettes[theme][6] ?? '')
}

/** All colours of a theme, as `#RRGGBB`: a drawing contains no others. */
export function paletteColours(theme: DrawingTheme): string[] {
  return Object.values(palettes[theme])
}

function readColour(colour: string): [number, number, number] {
  const part = (from: number) => Number.parseInt(colour.slice(from, from + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

// Rewrites RDKit's picture: only its paths, grouped by colour, and nothing else an SVG could contain. A third of the
// size, and safe to display by construction.

type PictureSize = { width: number; height: number }

type Shape = { paint: string; path: string }

const paths = /<path\s[^>]*?\bd='(?<path>[^']*)'(?<attributes>[^>]*)\/>/g

function compactSvg(svg: string, { width, height }: PictureSize): string {
  const shapes = [...svg.matchAll(paths)].map((match) =>
    readShape(match.groups?.['path'] ?? '', match.groups?.['attributes'] ?? ''),
  )
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const body = [...gather(shapes)].map(([paint, path]) => `<path ${paint} d="${path}"/>`).join('')
  const joins = 'stroke-linecap="round" stroke-linejoin="round"'
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} fill="none" ${joins}>${body}</svg>`
}

function readShape(path: string, attributes: string): Shape {
  const fill = /fill[:=]'?(#[0-9A-F]{6})/.exec(attributes)?.[1]
  const stroke = /stroke:(#[0-9A-F]{6})/.exec(attributes)?.[1]
  const strokeWidth = /stroke-width:(\d+(?:\.\d+)?)px/.exec(attributes)?.[1]
  const parts = []
  if (fill) parts.push(`fill="${fill}"`)
  if (stroke && strokeWidth) parts.push(`stroke="${stroke}" stroke-width="${Number(strokeWidth)}"`)
  return { paint: parts.join(' '), path: shortenPath(path) }
}

/** `M 1.0,2.5 L 3.0,4.0` becomes `M1 2.5L3 4`; anything but numbers and path commands is dropped. */
function shortenPath(path: string): string {
  return path
    .replaceAll(/[^MLQCZ\d.\s-]/g, ' ')
    .replaceAll(/\.0(?!\d)/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([MLQCZ]) ?/g, '$1')
    .trim()
}

/** In order of first use: lines come before the letters above them. */
function gather(shapes: Shape[]): Map<string, string> {
  const gathered = new Map<string, string>()
  for (const { paint, path } of shapes) gathered.set(paint, (gathered.get(paint) ?? '') + path)
  return gathered
}
