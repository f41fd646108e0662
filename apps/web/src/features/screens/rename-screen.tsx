/** Changes the name of a screen, the note and the tags on it. */
import { renameScreen, type Screen } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { screenQuery } from './screen-queries.ts'
import { titleOfScreen } from './screen-words.tsx'
import { call, messageOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { TagsField, TypedTags } from '#web/ui/tags.tsx'

const Names = z.object({ name: z.string(), note: z.string(), tags: TypedTags })

export function RenameScreen({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const client = useQueryClient()
  const title = titleOfScreen(screen)
  return (
    <CallDialog
      title="Rename"
      text="Files and series of the screen carry its name."
      confirm="Save"
      failure="The screen was not renamed"
      schema={Names}
      call={({ name, ...rest }) => {
        // A title that was only shown becomes a name once it is changed.
        const body = { ...rest, ...(name !== title && { name }) }
        return call(renameScreen, { params: { id: screen.id }, body })
      }}
      reasonOf={(error) => messageOf(error, 'Try again.')}
      onDone={(renamed) => {
        client.setQueryData(screenQuery(screen.id).queryKey, renamed)
        void readAgain(client, { queryKey: ['screens'] })
      }}
      onClose={onClose}
    >
      {(field) => (
        <>
          <Field label="Name" defaultValue={title} {...field('name')} />
          <Field label="Note" defaultValue={screen.note} {...field('note')} />
          <TagsField tags={screen.tags} {...field('tags')} />
        </>
      )}
    </CallDialog>
  )
}
