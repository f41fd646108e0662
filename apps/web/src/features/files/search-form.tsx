/** The form of a structure search: a structure, drawn or as SMILES, and the kind of search. */
import { Flex } from '#web/ui/layout.ts'
import { QUERY_SMILES_MAX, type StructureSearchKind } from '@pkdex/contract'
import { useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Field, Select } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './draw-form.module.css'
import { StructureEditor } from './structure-editor.tsx'

type Search = { kind: StructureSearchKind; smiles: string }

const kinds = [
  { value: 'similarity', label: 'Similar' },
  { value: 'substructure', label: 'Substructure' },
] as const

export function SearchForm({
  begun,
  onSearch,
  isSearching,
  problem,
}: {
  begun: Search
  onSearch: (search: Search) => void
  isSearching: boolean
  problem: string | null
}) {
  const [text, setText] = useState(begun.smiles)
  const [kind, setKind] = useState(begun.kind)
  const smiles = text.trim()
  return (
    <Flex
      component="form"
      direction="column"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault()
        if (smiles !== '') onSearch({ kind, smiles })
      }}
    >
      <StructureEditor smiles={begun.smiles} onChange={setText} />
      <Field
        label="SMILES"
        maxLength={QUERY_SMILES_MAX}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {problem !== null && <Note tone="failure">{problem}</Note>}
      <Flex className={classes.actions} wrap="wrap" gap="sm" align="end" justify="flex-end">
        <Select label="Find" value={kind} options={kinds} onChange={setKind} />
        <Button type="submit" loading={isSearching} disabled={smiles === ''}>
          Search
        </Button>
      </Flex>
    </Flex>
  )
}
