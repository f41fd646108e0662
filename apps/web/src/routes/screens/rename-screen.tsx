/** Names a screen. */
import { renameScreen, type Screen } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { RenameDialog } from '#web/features/files/rename-delete.tsx'
import { screenQuery } from '#web/features/screens/screen-queries.ts'
import { titleOfScreen } from '#web/features/screens/screen-words.tsx'
import { call } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { Button } from '#web/ui/button.ts'

export function RenameScreen({ screen }: { screen: Screen }) {
  const [isOpen, setOpen] = useState(false)
  const client = useQueryClient()
  return (
    <>
      <Button variant="subtle" color="gray" onClick={() => setOpen(true)}>
        Rename
      </Button>
      {isOpen && (
        <RenameDialog
          name={titleOfScreen(screen)}
          text="The name is part of its files."
          failure="The screen was not renamed"
          rename={async (name) => {
            const renamed = await call(renameScreen, { params: { id: screen.id }, body: { name } })
            client.setQueryData(screenQuery(screen.id).queryKey, renamed)
            return titleOfScreen(renamed)
          }}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            void readAgain(client, { queryKey: ['screens'] })
          }}
        />
      )}
    </>
  )
}
