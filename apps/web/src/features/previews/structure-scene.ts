/** What is drawn of a structure in three dimensions, and how. The only module that knows the library that draws. */
import { createViewer, type GLViewer, SurfaceType } from '3dmol/build/3Dmol.es6-min.js'
import { type Atom, findLigand, type Ligand } from './find-ligand.ts'

export type Turn = 'left' | 'right' | 'up' | 'down'

export type Scene = {
  /** The ligand that is shown with its surroundings. */
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
const OTHER_CHAINS_OPACITY = 0.65

/** The used chain has the colour of what counts; the others share the rest in turn. */
const palettes = {
  light: {
    ground: '#f9fafa',
    used: '#076874',
    others: ['#c6782e', '#9a7ad1', '#7b4f29', '#838b8b'],
    ligand: '#411d6c',
    near: '#5e6869',
  },
  dark: {
    ground: '#1a2222',
    used: '#5bb8c5',
    others: ['#ddedb1', '#b45054', '#6769bf', '#899393'],
    ligand: '#f19a6d',
    near: '#a5aeaf',
  },
}
const elements = { N: '#3f7fc4', O: '#d1495b', S: '#c9a227', P: '#e8915b', F: '#2ba394' }

/** Throws where the browser cannot draw it. */
export function openScene(element: HTMLElement, { structure, chain, scheme }: Options): Scene {
  const palette = palettes[scheme]
  const viewer: GLViewer = createViewer(element, {
    backgroundColor: palette.ground,
    antialias: true,
  })
  viewer.addModel(structure.content, /^\s*data_/.test(structure.content) ? 'cif' : 'pdb')
  const atoms = readAtoms(viewer)
  if (atoms.length === 0) throw new Error('no atom could be read')
  const chains = colourChains(atoms, chain, palette)
  const ligand = findLigand(atoms, chain)
  const moveMs = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS
  draw(viewer, { chains, ligand, palette })
  viewer.zoomTo()
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
      viewer.zoomTo(what === 'ligand' && ligand ? selectionOf(ligand) : {}, moveMs)
    },
    close() {
      resized.disconnect()
      viewer.clear()
      element.replaceChildren()
    },
  }
}

function readAtoms(viewer: GLViewer): Atom[] {
  return viewer
    .selectedAtoms({})
    .map(({ chain = '', resn = '', resi = 0, hetflag = false, x = 0, y = 0, z = 0 }) => {
      return { chain, resn: resn.trim(), resi: Number(resi), isHetero: hetflag, x, y, z }
    })
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
  viewer.setStyle(selectionOf(ligand), { stick: stick(0.24, palette.ligand) })
}

/** Elements in their usual colours, but for carbon. */
function stick(radius: number, carbon: string) {
  return { radius, colorscheme: { prop: 'elem', map: { C: carbon, ...elements } } }
}

function selectionOf({ atoms: [first] }: Ligand) {
  const { chain = '', resn = '', resi = 0 } = first ?? {}
  return { chain, resn, resi, hetflag: true }
}
