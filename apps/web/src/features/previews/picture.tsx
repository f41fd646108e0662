/** The picture of the selected item, its placeholder while it loads, or an error with Retry. */
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { CopyPicture } from './copy-picture.tsx'
import { pictureFailure, type PictureKind, pictureQuery } from './picture-query.ts'
import classes from './picture.module.css'

type Props = {
  kind: PictureKind
  name: string
  /** Shown below the enlarged picture. */
  caption: ReactNode
}

export function Picture({ kind, name, caption }: Props) {
  const theme = useColorScheme()
  const { data, error, isFetching, refetch } = useQuery(pictureQuery(kind, name, theme))
  const [unreadable, setUnreadable] = useState<string | null>(null)

  function retry() {
    setUnreadable(null)
    void refetch()
  }

  if (!data) {
    if (error === null || isFetching) return <PictureSkeleton name={name} />
    return <Failure text={pictureFailure(kind, error)} onRetry={retry} />
  }
  const { address } = data
  if (address === unreadable) return <Failure text={messages.image.none} onRetry={retry} />
  const alt = data.alt ?? describe(kind, name)
  return (
    <div className={classes.stage}>
      <img src={address} alt={alt} onError={() => setUnreadable(address)} />
      <Enlarge {...{ kind, name, caption }} picture={<img src={address} alt={alt} />} />
    </div>
  )
}

/** Placeholder while nothing is selected. */
export function EmptyPicture({ children }: { children: ReactNode }) {
  return (
    <div className={classes.stage}>
      <p className={classes.empty}>{children}</p>
    </div>
  )
}

function PictureSkeleton({ name }: { name: string }) {
  return (
    <div className={classes.stage} aria-busy="true">
      <div className={classes.skeleton} />
      <span className="visually-hidden">Loading the picture of {name}</span>
    </div>
  )
}

function Failure({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className={classes.stage} data-failed="true">
      <div className={classes.failure} role="alert">
        <p>{text}</p>
        <Button variant="default" onClick={onRetry}>
          Retry
        </Button>
      </div>
    </div>
  )
}

type EnlargeProps = Props & { picture: ReactNode }

/** The whole picture is the button. */
function Enlarge({ kind, name, picture, caption }: EnlargeProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <UnstyledButton
        className={classes.enlarge}
        aria-haspopup="dialog"
        aria-label={`Enlarge the picture of ${name}`}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <Dialog label={`Picture of ${name}`} onClose={() => setIsOpen(false)}>
          <div className={classes.large}>{picture}</div>
          {caption}
          <CopyPicture kind={kind} name={name} />
        </Dialog>
      )}
    </>
  )
}

function describe(kind: PictureKind, name: string): string {
  return kind === 'protein' ? `Ribbon drawing of ${name}` : `Structural formula of ${name}`
}
