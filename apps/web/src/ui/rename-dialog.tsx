/** Asks for another name. */
import { type ComponentProps, useState } from 'react'
import { CallDialog } from './call-dialog.tsx'
import { Field } from './field.tsx'

type Props = Pick<
  ComponentProps<typeof CallDialog<string>>,
  'text' | 'failure' | 'reasonOf' | 'onClose' | 'onDone'
> & {
  name: string
  /** Returns the stored name. */
  rename: (wanted: string) => Promise<string>
}

export function RenameDialog({ name, rename, ...rest }: Props) {
  const [wanted, setWanted] = useState(name)
  return (
    <CallDialog title={`Rename ${name}`} confirm="Rename" call={() => rename(wanted)} {...rest}>
      <Field
        label="New name"
        value={wanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
    </CallDialog>
  )
}
