/** Opens the structure in three dimensions; where the browser cannot draw it, the still picture. The code comes when it is opened. */
import type { Target } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Note } from '#web/ui/note.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { pictureQuery } from './picture-query.ts'
import classes from './structure-dialog.module.css'

const StructureViewer = lazy(() =>
  import('./structure-viewer.tsx').then(
    (loaded) => ({ default: loaded.StructureViewer }),
    () => ({ default: StillPicture }),
  ),
)

/** `children`: the choice of another chain. */
type Props = { target: Target; children: ReactNode }

export function StructureDialog({ target, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        className={classes.opener}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        View in 3D
      </Button>
      {isOpen && (
        <Dialog label={`Structure of ${target.name}`} onClose={() => setIsOpen(false)}>
          <div className={classes.body}>
            <Suspense fallback={<Spinner text="Loading the 3D view" />}>
              {canDraw() ? <StructureViewer target={target} /> : <StillPicture target={target} />}
            </Suspense>
            {children}
          </div>
        </Dialog>
      )}
    </>
  )
}

function canDraw(): boolean {
  const canvas = document.createElement('canvas')
  return canvas.getContext('webgl2') !== null || canvas.getContext('webgl') !== null
}

function StillPicture({ target: { name } }: { target: Target }) {
  const { data } = useQuery(pictureQuery('protein', name, useColorScheme()))
  return (
    <>
      {data && <img className={classes.still} src={data.address} alt={data.alt ?? name} />}
      <Note tone="info">
        This browser cannot draw in three dimensions here (WebGL is off), so the picture stands
        still.
      </Note>
    </>
  )
}
