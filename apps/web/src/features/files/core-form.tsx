/** The form for the core of a series, drawn or as SMILES. */
import { Flex } from '#web/ui/layout.ts'
import { useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Field } from '#web/ui/field.tsx'
import classes from './draw-form.module.css'
import { StructureEditor } from './structure-editor.tsx'

type Props = { smiles: string; onUse: (smiles: string) => void }

export function CoreForm({ smiles, onUse }: Props) {
  const [text, setText] = useState(smiles)
  const core = text.trim()
  return (
    <Flex
      component="form"
      direction="column"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault()
        if (core !== '') onUse(core)
      }}
    >
      <StructureEditor smiles={smiles} onChange={setText} />
      <Field
        label="SMILES"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Flex className={classes.actions} wrap="wrap" gap="sm" align="end" justify="flex-end">
        <Button type="submit" disabled={core === ''}>
          Use this core
        </Button>
      </Flex>
    </Flex>
  )
}
