/** The "…" menu of a screen and of its series. */
import { Stack } from '#web/ui/layout.ts'
import type { Screen } from '@pkdex/contract'
import { useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Popover } from '#web/ui/popover.tsx'
import { DeleteScreen } from './delete-screen.tsx'
import { RenameScreen } from './rename-screen.tsx'

/** `canDelete`: nothing of the screen is running. */
export function ScreenMenu({ screen, canDelete }: { screen: Screen; canDelete: boolean }) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const onClose = () => setDialog(null)
  return (
    <>
      <Popover label="More" face="…" isMenu>
        <Stack gap="xs">
          <Button variant="default" onClick={() => setDialog('rename')}>
            Rename
          </Button>
          {canDelete && (
            <Button variant="default" onClick={() => setDialog('delete')}>
              Delete
            </Button>
          )}
        </Stack>
      </Popover>
      {dialog === 'rename' && <RenameScreen {...{ screen, onClose }} />}
      {dialog === 'delete' && <DeleteScreen {...{ screen, onClose }} />}
    </>
  )
}
