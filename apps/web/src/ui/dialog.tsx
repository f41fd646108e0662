/** A modal dialog of the browser's own: it keeps the focus, closes on Escape, and gives the focus back. */
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './dialog.module.css'

type Props = { label: string; onClose: () => void; children: ReactNode }

/** Open as long as it is drawn. */
export function Dialog({ label, onClose, children }: Props) {
  return (
    <dialog ref={open} className={styles.dialog} aria-label={label} onClose={onClose}>
      <form method="dialog">
        <button type="submit" className={styles.close} aria-label="Close">
          <Icon name="close" />
        </button>
      </form>
      {children}
    </dialog>
  )
}

function open(dialog: HTMLDialogElement | null) {
  const opener = document.activeElement
  if (dialog !== null && !dialog.open) dialog.showModal()
  // The browser gives the focus back when a dialog is closed, but not when it is taken away.
  return () => queueMicrotask(() => giveFocusBack(opener))
}

function giveFocusBack(opener: Element | null) {
  const isLost = document.activeElement === document.body
  if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
}
