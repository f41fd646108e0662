/** The molecule editor. It fills its frame and follows its size. */
import { CanvasEditor, Molecule } from 'openchemlib'
import { useEffect, useRef } from 'react'
import classes from './draw-form.module.css'
import { writeSmiles } from './write-smiles.ts'

type Props = {
  /** The initial molecule; later changes are ignored. */
  smiles?: string
  /** Called with an empty text if nothing is drawn. */
  onChange: (smiles: string) => void
}

export function StructureEditor({ smiles, onChange }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const first = useRef(smiles)
  useEffect(() => {
    if (frame.current === null) return undefined
    const element = frame.current
    const editor = withLargeTools(() => new CanvasEditor(element))
    const begun = readMolecule(first.current)
    if (begun !== null) editor.setMolecule(begun)
    let last = smilesOf(editor)
    const stopFitting = onFinalWidth(element, () => {
      // The editor scales a molecule only when it is set, not when the area changes.
      if (begun !== null && smilesOf(editor) === last) editor.setMolecule(begun)
    })
    editor.setOnChangeListener(({ type }) => {
      const drawn = type === 'molecule' ? smilesOf(editor) : last
      // The editor also reports a pointer that leaves an atom; SMILES typed meanwhile must stay.
      if (drawn === last) return
      last = drawn
      onChange(drawn)
    })
    return () => {
      stopFitting()
      editor.destroy()
    }
  }, [onChange])
  return (
    <fieldset className={classes.editor} aria-label="Structure editor">
      <div ref={frame} />
    </fieldset>
  )
}

/** The canvas starts 300 px wide, and its area would stay so wide in a narrower frame, which would cut it off. */
function onFinalWidth(element: HTMLElement, fit: () => void): () => void {
  const area = element.firstElementChild?.shadowRoot?.querySelector('div')
  if (area == null) return () => undefined
  area.style.minWidth = '0'
  const observer = new ResizeObserver(() => {
    observer.disconnect()
    fit()
  })
  observer.observe(area)
  return () => observer.disconnect()
}

function smilesOf(editor: CanvasEditor): string {
  const molecule = editor.getMolecule()
  return molecule.getAllAtoms() === 0 ? '' : writeSmiles(molecule)
}

const TOOL_SCALE = 1.6

/** The editor draws its tools 21 px high times the pixel ratio, which it reads when it is first opened. */
function withLargeTools<T>(open: () => T): T {
  const own = Object.getOwnPropertyDescriptor(window, 'devicePixelRatio')
  if (own?.configurable !== true) return open()
  const ratio = devicePixelRatio * TOOL_SCALE
  Object.defineProperty(window, 'devicePixelRatio', { configurable: true, value: ratio })
  try {
    return open()
  } finally {
    Object.defineProperty(window, 'devicePixelRatio', own)
  }
}

/** Null for SMILES that the library cannot read: the editor is then empty. */
function readMolecule(smiles: string | undefined): Molecule | null {
  if (smiles === undefined || smiles === '') return null
  try {
    return Molecule.fromSmiles(smiles)
  } catch {
    return null
  }
}
