/** Adds a drawn molecule as a compound. */
import { Flex } from '#web/ui/layout.ts'
import { useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import classes from './draw-form.module.css'
import { StructureEditor } from './structure-editor.tsx'

type Props = { onImport: (file: File) => void }

export function DrawForm({ onImport }: Props) {
  const [smiles, setSmiles] = useState('')
  const [name, setName] = useState('')
  const title = name.replaceAll(/\s+/g, ' ').trim() || 'drawn'
  return (
    <Flex
      component="form"
      direction="column"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault()
        if (smiles === '') return
        onImport(new File([`${smiles} ${title}`], `${fileStem(title)}.txt`, { type: 'text/plain' }))
      }}
    >
      <StructureEditor onChange={setSmiles} />
      <output className={`mono small ${classes.smiles}`}>{smiles || 'Nothing drawn yet.'}</output>
      <Field
        label="Name"
        placeholder="drawn"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Flex className={classes.actions} wrap="wrap" gap="sm" align="end" justify="flex-end">
        <Button type="submit" disabled={smiles === ''}>
          Upload this compound
        </Button>
      </Flex>
    </Flex>
  )
}

function fileStem(title: string): string {
  return title.replaceAll(/[\p{Cc}/\\:*?"<>|]/gu, '_').slice(0, 80)
}
