/** Asks for another name. */
import type { ComponentProps } from 'react'
import { z } from 'zod'
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

/** Whoever keeps the name says what is wrong with it. */
const Name = z.object({ name: z.string() })

export function RenameDialog({ name, rename, ...rest }: Props) {
  return (
    <CallDialog
      title={`Rename ${name}`}
      confirm="Rename"
      schema={Name}
      call={(wanted) => rename(wanted.name)}
      {...rest}
    >
      {(field) => <Field label="New name" defaultValue={name} {...field('name')} />}
    </CallDialog>
  )
}
