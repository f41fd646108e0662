/** Draws a structure in 3D. */
import { createViewer, type GLViewer, SurfaceType, Vector2 } from '3dmol/build/3Dmol.es6-min.js'
import { type Atom, findLigand, type Ligand, readAtoms, residuesOf } from '#web/lib/find-ligand.ts'

export type Turn = 'left' | 'right' | 'up' | 'down'

export type Scene = {
  /** The ligand shown with its surroundings. */
  ligand: Ligand | null
  chains: ChainColour[]
  show(what: { hasSurface: boolean }): void
  turn(turn: Turn): void
  zoom(factor: number): void
  lookAt(what: 'all' | 'ligand'): void
  close(): void
}

type ChainColour = { id: string; colour: string; isUsed: boolean }

type Options = {
  structure: { content: string }
  /** The chain that predictions use. */
  chain: string
  scheme: 'light' | 'dark'
}

const TURN_DEGREES = 15
const TURNS: Record<Turn, [angle: number, axis: 'x' | 'y']> = {
  left: [-TURN_DEGREES, 'y'],
  right: [TURN_DEGREES, 'y'],
  up: [-TURN_DEGREES, 'x'],
  down: [TURN_DEGREES, 'x'],
}
const MOVE_MS = 160
const POCKET_ZOOM = 0.6
const OUTLINE_PX = 0.04
const OTHER_CHAINS_OPACITY = 0.65

/** The used chain has the accent colour; the others share the remaining colours. */
const palettes = {
  light: {
    ground: '#f9fafa',
    ink: '#162021',
    edge: '#465151',
    used: '#3f9aa6',
    others: ['#c6782e', '#9a7ad1', '#7b4f29', '#838b8b'],
    ligand: '#076874',
    near: '#5e6869',
  },
  dark: {
    ground: '#1a2222',
    ink: '#e7ecec',
    edge: '#060b0b',
    used: '#5bb8c5',
    others: ['#ddedb1', '#b45054', '#6769bf', '#899393'],
    ligand: '#f19a6d',
    near: '#a5aeaf',
  },
}
const elements = { N: '#3f7fc4', O: '#d1495b', S: '#c9a227', P: '#e8915b', F: '#2ba394' }

/** Throws if the browser cannot draw it. */
export function openScene(element: HTMLElement, { structure, chain, scheme }: Options): Scene {
  const palette = palettes[scheme]
  const viewer: GLViewer = createViewer(element, {
    backgroundColor: palette.ground,
    antialias: true,
  })
  viewer.addModel(structure.content, /^\s*data_/.test(structure.content) ? 'cif' : 'pdb')
  const atoms = readAtoms(viewer.selectedAtoms({}))
  if (atoms.length === 0) throw new Error('no atom could be read')
  const chains = colourChains(atoms, chain, palette)
  const ligand = findLigand(atoms, chain)
  const moveMs = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS
  draw(viewer, { chains, ligand, palette })
  nameOnHover(viewer, palette)
  // Outlines show what is in front, which flat light alone does not.
  viewer.setViewStyle({ style: 'outline', width: OUTLINE_PX, color: palette.edge })
  if (ligand !== null) nameLigand(viewer, ligand, palette)
  viewer.zoomTo()
  // The view starts at the ligand, with the residues around it.
  if (ligand !== null) {
    viewer.zoomTo(residuesOf(ligand.atoms))
    viewer.zoom(POCKET_ZOOM)
  }
  viewer.render()
  const resized = new ResizeObserver(() => viewer.resize())
  resized.observe(element)
  return {
    ligand,
    chains,
    show({ hasSurface }) {
      viewer.removeAllSurfaces()
      const style = { color: palette.used, opacity: 0.6 }
      if (hasSurface) void viewer.addSurface(SurfaceType.VDW, style, { chain, hetflag: false })
      viewer.render()
    },
    turn: (turn) => void viewer.rotate(...TURNS[turn], moveMs),
    zoom: (factor) => void viewer.zoom(factor, moveMs),
    lookAt(what) {
      viewer.zoomTo(what === 'ligand' && ligand ? residuesOf(ligand.atoms) : {}, moveMs)
    },
    close() {
      resized.disconnect()
      viewer.clear()
      element.replaceChildren()
    },
  }
}

/** Names the residue under the pointer: `Asp25 A`. */
function nameOnHover(viewer: GLViewer, palette: Palette): void {
  let shown: ReturnType<GLViewer['addLabel']> | null = null
  const hide = () => {
    if (shown !== null) viewer.removeLabel(shown)
    shown = null
  }
  viewer.setHoverable(
    {},
    true,
    ({ resn = '', resi = '', chain = '', x = 0, y = 0, z = 0 }: Hovered) => {
      hide()
      const name = resn.charAt(0) + resn.slice(1).toLowerCase()
      shown = viewer.addLabel(`${name}${resi} ${chain}`.trim(), {
        ...labelStyle(palette),
        position: { x, y, z },
      })
    },
    hide,
  )
}

/** Always visible, so that the name does not depend on hovering. */
function nameLigand(viewer: GLViewer, { atoms }: Ligand, palette: Palette): void {
  const middle = (axis: 'x' | 'y' | 'z') =>
    atoms.reduce((sum, atom) => sum + atom[axis], 0) / Math.max(1, atoms.length)
  const position = { x: middle('x'), y: middle('y'), z: middle('z') }
  const names = new Set(atoms.map(({ resn }) => resn))
  viewer.addLabel(`Ligand ${[...names].join('-')}`, {
    ...labelStyle(palette),
    position,
    screenOffset: new Vector2(0, LABEL_PX),
  })
}

const LABEL_PX = 48

function labelStyle({ ground, ink }: Palette) {
  return { fontSize: 13, fontColor: ink, backgroundColor: ground, backgroundOpacity: 0.85 }
}

type Hovered = Partial<Record<'resn' | 'chain', string>> & {
  resi?: number | string
  x?: number
  y?: number
  z?: number
}

type Palette = (typeof palettes)['light']

function colourChains(atoms: Atom[], used: string, { used: main, others }: Palette): ChainColour[] {
  const ids = [...new Set(atoms.filter(({ isHetero }) => !isHetero).map(({ chain }) => chain))]
  const unused = ids.filter((id) => id !== used)
  return ids.map((id) => {
    const colour = id === used ? main : (others[unused.indexOf(id) % others.length] ?? main)
    return { id, colour, isUsed: id === used }
  })
}

type Drawn = { chains: ChainColour[]; ligand: Ligand | null; palette: Palette }

function draw(viewer: GLViewer, { chains, ligand, palette }: Drawn): void {
  viewer.setStyle({}, {})
  for (const { id, colour, isUsed } of chains) {
    const cartoon = { color: colour, opacity: isUsed ? 1 : OTHER_CHAINS_OPACITY }
    viewer.setStyle({ chain: id, hetflag: false }, { cartoon })
  }
  if (ligand === null) return
  for (const residue of ligand.near) {
    viewer.addStyle({ ...residue, hetflag: false }, { stick: stick(0.12, palette.near) })
  }
  viewer.setStyle(residuesOf(ligand.atoms), { stick: stick(0.28, palette.ligand) })
}

/** Elements in their usual colours, except carbon. */
function stick(radius: number, carbon: string) {
  return { radius, colorscheme: { prop: 'elem', map: { C: carbon, ...elements } } }
}
