/** Modal dialogs: one keeps the focus, closes on Escape, and gives the focus back. */
import { Button, ModalBase, ModalBaseContent, UnstyledButton } from '@mantine/core'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { Icon } from './icon.tsx'
import styles from './dialog.module.css'

type DialogProps = { label: string; onClose: () => void; children: ReactNode }

const atOnce = { duration: 0 }

/** Open as long as it is drawn. */
export function Dialog({ label, onClose, children }: DialogProps) {
  useInertPage()
  useFocusBack()
  return (
    <ModalBase
      opened
      unstyled
      withinPortal
      trapFocus
      closeOnEscape
      lockScroll={false}
      transitionProps={atOnce}
      onClose={() => leaveOneLevel(onClose)}
    >
      <ModalBaseContent
        className={styles.dialog}
        aria-label={label}
        innerProps={{ className: styles.backdrop, onMouseDown: keepFocus }}
      >
        <UnstyledButton className={styles.close} aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </UnstyledButton>
        {children}
      </ModalBaseContent>
    </ModalBase>
  )
}

type ConfirmProps = {
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

/** Asks before something that cannot be undone, or that takes long. Stays open while it is being done. */
export function ConfirmDialog({
  title,
  text,
  children,
  onConfirm,
  onClose,
  ...rest
}: ConfirmProps) {
  const { confirm, cancel = 'Cancel', isDangerous = false, isBusy = false } = rest
  return (
    <Dialog label={title} onClose={onClose}>
      <div className={styles.body}>
        <h2>{title}</h2>
        {children}
        <p>{text}</p>
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose}>
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

/** What lies behind a dialog cannot be read, searched or reached, as behind one of the browser's own. */
function useInertPage() {
  useEffect(() => {
    const behind = [...document.body.children].filter((each) => !each.matches(APART))
    for (const each of behind) each.toggleAttribute('inert', true)
    return () => behind.forEach((each) => each.toggleAttribute('inert', false))
  }, [])
}

/** Where dialogs are drawn, and what waits behind one already. */
const APART = '[data-portal], :has([role=dialog]), [inert], script'

/** The library gives the focus back when a dialog is closed, but not when it is taken away. */
function useFocusBack() {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => () => queueMicrotask(() => giveFocusBack(opener)), [opener])
}

function giveFocusBack(opener: Element | null) {
  const isLost = document.activeElement === document.body
  if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
}

/** Escape leaves what fills the screen first, and what lies below it afterwards. */
function leaveOneLevel(close: () => void) {
  if (document.fullscreenElement) void document.exitFullscreen()
  else close()
}

/** A click beside the dialog does nothing: it neither closes it nor takes the focus out of it. */
function keepFocus(event: MouseEvent) {
  if (event.target === event.currentTarget) event.preventDefault()
}
