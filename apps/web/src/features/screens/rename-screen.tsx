/** Changes the name of a screen, the note and the tags on it. */
import { renameScreen, type Screen } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { screenQuery } from './screen-queries.ts'
import { titleOfScreen } from './screen-words.tsx'
import { call, messageOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { readTags, TagsField, writeTags } from '#web/ui/tags.tsx'

export function RenameScreen({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const [name, setName] = useState(titleOfScreen(screen))
  const [note, setNote] = useState(screen.note)
  const [tags, setTags] = useState(writeTags(screen.tags))
  const client = useQueryClient()
  // A title that was only shown becomes a name once it is changed.
  const changed = { note, tags: readTags(tags), ...(name !== titleOfScreen(screen) && { name }) }
  return (
    <CallDialog
      title="Rename"
      text="Files and series of the screen carry its name."
      confirm="Save"
      failure="The screen was not renamed"
      call={() => call(renameScreen, { params: { id: screen.id }, body: changed })}
      reasonOf={(error) => messageOf(error, 'Try again.')}
      onDone={(renamed) => {
        client.setQueryData(screenQuery(screen.id).queryKey, renamed)
        void readAgain(client, { queryKey: ['screens'] })
      }}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Field
        label="Note"
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <TagsField text={tags} onChange={setTags} />
    </CallDialog>
  )
}
