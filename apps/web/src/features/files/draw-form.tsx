/** A molecule that is drawn, as a compound. The editor fills its frame and follows its size. */
import { CanvasEditor } from 'openchemlib'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import classes from './draw-form.module.css'
import { writeSmiles } from './write-smiles.ts'

type Props = { onImport: (file: File) => void }

export function DrawForm({ onImport }: Props) {
  const [smiles, setSmiles] = useState('')
  const [name, setName] = useState('')
  const title = name.replaceAll(/\s+/g, ' ').trim() || 'drawn'
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (smiles === '') return
        onImport(new File([`${smiles} ${title}`], `${fileStem(title)}.txt`, { type: 'text/plain' }))
      }}
    >
      <h2>Draw a molecule</h2>
      <Editor onChange={setSmiles} />
      <output className={`mono small ${classes.smiles}`}>{smiles || 'Nothing drawn yet.'}</output>
      <Field
        label="Name"
        placeholder="drawn"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <div className={classes.actions}>
        <Button type="submit" disabled={smiles === ''}>
          Upload this compound
        </Button>
      </div>
    </form>
  )
}

function Editor({ onChange }: { onChange: (smiles: string) => void }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (frame.current === null) return undefined
    const editor = new CanvasEditor(frame.current)
    editor.setOnChangeListener(({ type }) => {
      if (type !== 'molecule') return
      const molecule = editor.getMolecule()
      onChange(molecule.getAllAtoms() === 0 ? '' : writeSmiles(molecule))
    })
    return () => editor.destroy()
  }, [onChange])
  return (
    <fieldset className={classes.editor} aria-label="Drawing">
      <div ref={frame} />
    </fieldset>
  )
}

function fileStem(title: string): string {
  return title.replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_').slice(0, 80)
}
