/** Turns a pasted protein sequence into a FASTA file, which becomes a target without coordinates. */
import { Flex } from '#web/ui/layout.ts'
import { useState } from 'react'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Field, TextArea } from '#web/ui/field.tsx'

export function SequenceForm({ onImport }: { onImport: (file: File) => void }) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const given = name.trim() || nameInHeader(text)
  const letters = countLetters(text)
  return (
    <Flex
      component="form"
      direction="column"
      gap="md"
      onSubmit={(event) => {
        event.preventDefault()
        const fasta = text.trimStart().startsWith('>') ? text : `>${given}\n${text}`
        onImport(new File([fasta], `${given}.fasta`, { type: 'text/plain' }))
      }}
    >
      <TextArea
        label="Protein sequence"
        hint="One-letter codes or FASTA. Without a structure there is no picture, 3D view or pose."
        rows={6}
        placeholder={'>HIV-1 protease\nPQVTLWQRPLVTIKIGGQLKEALLDTGADDTVLEEM'}
        value={text}
        onChange={setText}
      />
      <Field
        label="Name"
        placeholder={nameInHeader(text)}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" disabled={letters === 0 || given === ''}>
        {letters === 0 ? 'Upload' : `Upload ${countOf(letters, 'residue')}`}
      </Button>
    </Flex>
  )
}

/** `HIV-1 protease` from `>HIV-1 protease`. Characters that file names cannot contain become spaces. */
function nameInHeader(text: string): string {
  const header = /^\s*>([^\r\n]*)/.exec(text)?.[1] ?? ''
  return header
    .replaceAll(/[\\/|:*?"<>]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
}

function countLetters(text: string): number {
  const lines = text.split(/\r\n?|\n/).filter((line) => !line.trimStart().startsWith('>'))
  return lines.join('').replaceAll(/[^A-Za-z]/g, '').length
}
