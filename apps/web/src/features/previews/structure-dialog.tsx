/** Opens the structure in 3D, or its still picture if the browser cannot draw in 3D. The code is loaded when opened. */
import { Stack } from '#web/ui/layout.ts'
import type { Target } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { describeSequence } from '#web/lib/chains.ts'
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
type Props = { target: Target; label?: string; children?: ReactNode }

export function StructureDialog({ target, label = 'View in 3D', children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  // Only a sequence was uploaded.
  if (target.report.has_coordinates === false) return null
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        className={classes.opener}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      {isOpen && (
        <Dialog label={`Structure of ${target.name}`} onClose={() => setIsOpen(false)}>
          <Stack gap="sm" w="min(1080px, calc(100vw - 72px))">
            <h2>{target.name}</h2>
            <Suspense fallback={<Spinner text="Loading the 3D view" />}>
              {canDraw() ? <StructureViewer target={target} /> : <StillPicture target={target} />}
            </Suspense>
            {children}
          </Stack>
        </Dialog>
      )}
    </>
  )
}

/** The content of the tab 3D: what the prediction uses of the structure, and a button that opens the structure. */
export function StructureTab({ target }: { target: Target }) {
  return (
    <>
      <p>
        The prediction uses the sequence of {describeSequence(target)} and the 2D structure of the
        compound. Pocket and ligand count once a screen has placed the compound; stereochemistry is
        not used.
      </p>
      <StructureDialog key={target.name} target={target} label="Open in 3D" />
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
      <Note tone="info">WebGL is off in this browser, so only the still picture is shown.</Note>
    </>
  )
}
