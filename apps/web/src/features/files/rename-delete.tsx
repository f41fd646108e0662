/** Renames and deletes a file, target or compound. */
import {
  deleteCompound,
  deleteTarget,
  type DeletionPreview,
  renameCompound,
  renameTarget,
} from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, reasonOf } from '#web/lib/api.ts'
import { type Deleted, deletionPreviewQuery, describeDeletion } from '#web/lib/deletion-preview.ts'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { RenameDialog } from '#web/ui/rename-dialog.tsx'
import { useRefreshFiles } from './file-lists.ts'

type ActionsProps = {
  kind: 'target' | 'compound'
  name: string
  /** Called with the stored name, before the lists are reloaded. */
  onRenamed: (name: string) => void
  onDeleted: () => void
}

const calls = {
  target: { rename: renameTarget, remove: deleteTarget },
  compound: { rename: renameCompound, remove: deleteCompound },
} as const

/** Buttons for one target or compound. */
export function RenameAndDelete({ kind, name, onRenamed, onDeleted }: ActionsProps) {
  const [step, setStep] = useState<'rename' | 'delete' | null>(null)
  const refresh = useRefreshFiles()
  const close = () => setStep(null)
  const { rename, remove } = calls[kind]
  const finish = (tell: () => void) => {
    close()
    tell()
    refresh()
  }
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setStep('rename')}>
        Rename
      </Button>
      <Button variant="subtle" color="gray" onClick={() => setStep('delete')}>
        Delete
      </Button>
      {step === 'rename' && (
        <RenameDialog
          name={name}
          text="Screens keep the name they were started with."
          failure={`The ${kind} was not renamed`}
          rename={async (wanted) => {
            const renamed = await call(rename, { params: { name }, body: { name: wanted } })
            return renamed.name
          }}
          reasonOf={reasonOf}
          onClose={close}
          onDone={(renamed) => finish(() => onRenamed(renamed))}
        />
      )}
      {step === 'delete' && (
        <DeleteDialog
          name={name}
          deleted={kind === 'target' ? { target: name } : { compound: name }}
          failure={`The ${kind} was not deleted`}
          remove={() => call(remove, { params: { name } })}
          onClose={close}
          onDone={() => finish(onDeleted)}
        />
      )}
    </>
  )
}

type DeleteProps = {
  name: string
  deleted: Deleted
  remove: () => Promise<unknown>
  /** Title of the error note. */
  failure: string
  onClose: () => void
  onDone: () => void
}

/** Opens once the effects of the deletion are known; without counts if they could not be loaded. */
export function DeleteDialog({ name, deleted, remove, ...rest }: DeleteProps) {
  const preview = useQuery(deletionPreviewQuery(deleted))
  return (
    <CallDialog
      title={`Delete ${name}`}
      text={preview.isPending ? 'Counting…' : textOf(deleted, preview.data)}
      confirm="Delete"
      isDangerous
      isBusy={preview.isPending}
      call={remove}
      reasonOf={reasonOf}
      {...rest}
    />
  )
}

function textOf(deleted: Deleted, preview: DeletionPreview | undefined): string {
  if (preview !== undefined) return describeDeletion(deleted, preview)
  return 'Predictions stay in the history without the name; those under way end and are refunded. Measured values are kept. This cannot be undone.'
}
