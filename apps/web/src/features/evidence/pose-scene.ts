/** A placed compound in its pocket: the residues it touches, the reference ligand, and the colours of its atoms. */
import { createViewer, type GLViewer } from '3dmol/build/3Dmol.es6-min.js'
import type { PoseContact } from '@pkdex/contract'
import { findNamed, readAtoms, residuesOf } from '#web/lib/find-ligand.ts'

export type PoseScene = {
  showReference(isShown: boolean): void
  /** A colour per heavy atom; null for the colours of the elements. */
  colourAtoms(colours: string[] | null): void
  highlight(contact: PoseContact | null): void
  turn(degrees: number, axis: 'x' | 'y'): void
  zoom(factor: number): void
  close(): void
}

type Options = {
  structure: string
  sdf: string
  chain: string
  /** For example `STI 201 A`. */
  reference: string
  /** The molecule file of the reference, if it is the user's own. */
  ownLigand: string | null
  contacts: PoseContact[]
  scheme: 'light' | 'dark'
}

const palettes = {
  light: { ground: '#f9fafa', ink: '#162021', chain: '#9db3b5', near: '#5e6869', pose: '#076874' },
  dark: { ground: '#1a2222', ink: '#e7ecec', chain: '#5f7476', near: '#a5aeaf', pose: '#5bb8c5' },
}
const elements = { N: '#3f7fc4', O: '#d1495b', S: '#c9a227', P: '#e8915b', F: '#2ba394' }
const [PROTEIN, POSE, OWN] = [0, 1, 2]

/** Throws if the browser cannot render it. */
export function openPoseScene(element: HTMLElement, options: Options): PoseScene {
  const { structure, sdf, chain, reference, ownLigand, contacts, scheme } = options
  const palette = palettes[scheme]
  const viewer: GLViewer = createViewer(element, {
    backgroundColor: palette.ground,
    antialias: true,
  })
  viewer.addModel(structure, /^\s*data_/.test(structure) ? 'cif' : 'pdb')
  viewer.addModel(sdf, 'sdf')
  if (ownLigand !== null) viewer.addModel(ownLigand, 'sdf')
  const atoms = readAtoms(viewer.selectedAtoms({ model: PROTEIN }))
  const ligand = residuesOf(findNamed(atoms, reference, chain))
  viewer.setStyle({}, {})
  viewer.setStyle(
    { model: PROTEIN, chain, hetflag: false },
    { cartoon: { color: palette.chain, opacity: 0.5 } },
  )
  for (const contact of contacts) {
    viewer.addStyle(residueOf(contact), { stick: stick(0.12, palette.near) })
  }
  viewer.setStyle({ model: POSE }, { stick: stick(0.25, palette.pose) })
  viewer.zoomTo({ model: POSE })
  viewer.zoom(0.8)
  viewer.render()
  const resized = new ResizeObserver(() => viewer.resize())
  resized.observe(element)
  return {
    showReference(isShown) {
      const style = isShown ? { stick: stick(0.1, palette.ink) } : {}
      viewer.setStyle(ownLigand === null ? { model: PROTEIN, ...ligand } : { model: OWN }, style)
      viewer.render()
    },
    colourAtoms(colours) {
      const own = colours && {
        radius: 0.25,
        colorfunc: ({ index = 0 }: { index?: number }) => colours[index] ?? palette.near,
      }
      viewer.setStyle({ model: POSE }, { stick: own ?? stick(0.25, palette.pose) })
      viewer.render()
    },
    highlight: (contact) => highlight(viewer, contact, palette),
    turn: (degrees, axis) => void viewer.rotate(degrees, axis),
    zoom: (factor) => void viewer.zoom(factor),
    close() {
      resized.disconnect()
      viewer.clear()
      element.replaceChildren()
    },
  }
}

function highlight(
  viewer: GLViewer,
  contact: PoseContact | null,
  { ink, ground }: (typeof palettes)['light'],
): void {
  viewer.removeAllShapes()
  viewer.removeAllLabels()
  if (contact !== null) {
    const start = viewer.selectedAtoms({ model: POSE })[contact.compound_atom - 1]
    const [end] = viewer.selectedAtoms({ ...residueOf(contact), atom: contact.atom })
    if (start && end) {
      const [from, to] = [start, end].map(({ x = 0, y = 0, z = 0 }) => ({ x, y, z }))
      if (from && to) {
        viewer.addCylinder({ start: from, end: to, radius: 0.09, dashed: true, color: ink })
        viewer.addLabel(`${contact.residue}, ${contact.distance.toFixed(1)} Å`, {
          position: to,
          fontSize: 13,
          fontColor: ink,
          backgroundColor: ground,
          backgroundOpacity: 0.85,
        })
      }
    }
  }
  viewer.render()
}

/** For example `MET 318`. */
function residueOf({ residue, chain }: PoseContact) {
  const [resn = '', number = ''] = residue.split(' ')
  return { model: PROTEIN, resn, resi: Number.parseInt(number, 10), ...chainOf(chain) }
}

/** A blank chain name is read as `_`. */
function chainOf(chain: string) {
  return chain === '_' || chain === '' ? {} : { chain }
}

function stick(radius: number, carbon: string) {
  return { radius, colorscheme: { prop: 'elem', map: { C: carbon, ...elements } } }
}
