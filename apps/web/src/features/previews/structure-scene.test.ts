/** What the 3D view draws first and says under the pointer; the drawing itself needs a graphics context. */
import { expect, test, vi } from 'vitest'
import { openScene } from './structure-scene.ts'

type Label = { text: string; position: object }
type Hover = (atom: object) => void

const { viewer, labels } = vi.hoisted(() => {
  const labels: Label[] = []
  const atom = (resn: string, resi: number, x: number, hetflag: boolean) => {
    return { chain: 'A', resn, resi, x, y: 0, z: 0, hetflag, elem: 'C' }
  }
  const atoms = [
    ...Array.from({ length: 8 }, (_, at) => atom('ASP', 25 + at, at, false)),
    ...Array.from({ length: 8 }, (_, at) => atom('478', 200, at, true)),
  ]
  const viewer = {
    addModel: () => undefined,
    selectedAtoms: () => atoms,
    setStyle: () => undefined,
    addStyle: () => undefined,
    setViewStyle: () => undefined,
    setHoverable: vi.fn<(of: object, on: boolean, enter: Hover, leave: () => void) => void>(),
    addLabel: (text: string, { position }: Label) => {
      const label = { text, position }
      labels.push(label)
      return label
    },
    removeLabel: (label: Label) => labels.splice(labels.indexOf(label), 1),
    zoomTo: vi.fn<(to: object) => void>(),
    zoom: () => undefined,
    render: () => undefined,
    resize: () => undefined,
  }
  return { viewer, labels }
})

vi.mock('3dmol/build/3Dmol.es6-min.js', () => ({
  createViewer: () => viewer,
  SurfaceType: { VDW: 1 },
  Vector2: class {},
}))

test('the ligand is shown first and named, and a residue is named under the pointer', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  const structure = { content: 'ATOM' }
  const scene = openScene(document.createElement('div'), { structure, chain: 'A', scheme: 'light' })
  expect(scene.ligand?.name).toContain('478')
  expect(viewer.zoomTo.mock.lastCall?.[0]).toMatchObject({ or: [{ resn: '478', resi: 200 }] })
  const named = () => labels.map(({ text }) => text)
  expect(named()).toEqual(['Ligand 478'])

  const [, , enter, leave] = viewer.setHoverable.mock.lastCall ?? []
  enter?.({ resn: 'ASP', resi: 25, chain: 'A', x: 1, y: 2, z: 3 })
  expect(named()).toEqual(['Ligand 478', 'Asp25 A'])
  expect(labels.at(-1)?.position).toEqual({ x: 1, y: 2, z: 3 })
  enter?.({ resn: 'GLY', resi: 48, chain: 'B' })
  expect(named()).toEqual(['Ligand 478', 'Gly48 B'])
  leave?.()
  expect(named()).toEqual(['Ligand 478'])
})
