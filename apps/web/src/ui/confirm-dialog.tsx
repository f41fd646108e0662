/** Asks before something that cannot be undone, or that takes long. Stays open while it is being done. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import classes from './confirm-dialog.module.css'

type Props = {
  title: string
  /** The question itself. */
  text: string
  /** What is at stake: a name, a size, what went wrong at the last try. */
  children?: ReactNode
  confirm: string
  cancel?: string
  isDangerous?: boolean
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({ title, text, children, onConfirm, onClose, ...rest }: Props) {
  const { confirm, cancel = 'Cancel', isDangerous = false, isBusy = false } = rest
  return (
    <Dialog label={title} onClose={onClose}>
      <div className={classes.body}>
        <h2>{title}</h2>
        {children}
        <p>{text}</p>
        <div className={classes.actions}>
          <Button
            variant="default"
            onClick={(event) => event.currentTarget.closest('dialog')?.close()}
          >
            {cancel}
          </Button>
          <Button color={isDangerous ? 'ember' : 'petrol'} loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
