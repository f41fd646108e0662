/** The "…" menu of a screen and of its series. */
import type { Screen } from '@pkdex/contract'
import { useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Popover } from '#web/ui/popover.tsx'
import { DeleteScreen } from './delete-screen.tsx'
import { RenameScreen } from './rename-screen.tsx'
import classes from './screen-words.module.css'

/** `canDelete`: nothing of the screen is running. */
export function ScreenMenu({ screen, canDelete }: { screen: Screen; canDelete: boolean }) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const onClose = () => setDialog(null)
  return (
    <>
      <Popover label="More" face="…" isMenu>
        <div className={classes.menu}>
          <Button variant="default" onClick={() => setDialog('rename')}>
            Rename
          </Button>
          {canDelete && (
            <Button variant="default" onClick={() => setDialog('delete')}>
              Delete
            </Button>
          )}
        </div>
      </Popover>
      {dialog === 'rename' && <RenameScreen {...{ screen, onClose }} />}
      {dialog === 'delete' && <DeleteScreen {...{ screen, onClose }} />}
    </>
  )
}
