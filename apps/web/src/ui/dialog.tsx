/** Modal dialogs: keep the focus, close on Escape, and return the focus. */
import { Flex, Stack } from '#web/ui/layout.ts'
import { Button, ModalBase, ModalBaseContent, UnstyledButton } from '@mantine/core'
import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { z } from 'zod'
import { Icon } from './icon.tsx'
import { type NamedField, type Schema, useForm } from './use-form.ts'
import styles from './dialog.module.css'

type DialogProps = {
  label: string
  /** Shows the label as a heading above a body of this width, in pixels. */
  width?: number
  onClose: () => void
  children: ReactNode
}

const atOnce = { duration: 0 }

/** Open as long as it is mounted. */
export function Dialog({ label, width, onClose, children }: DialogProps) {
  useInertPage()
  useFocusBack()
  const isOnTop = useTop()
  return (
    <ModalBase
      opened
      unstyled
      withinPortal
      trapFocus
      closeOnEscape
      lockScroll={false}
      transitionProps={atOnce}
      onClose={() => isOnTop() && leaveOneLevel(onClose)}
    >
      <ModalBaseContent
        className={styles.dialog}
        aria-label={label}
        innerProps={{ className: styles.backdrop, onMouseDown: keepFocus }}
      >
        <UnstyledButton className={styles.close} aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </UnstyledButton>
        {width === undefined ? (
          children
        ) : (
          <div className={styles.body} style={{ '--width': `${width}px` } as CSSProperties}>
            <h2>{label}</h2>
            {children}
          </div>
        )}
      </ModalBaseContent>
    </ModalBase>
  )
}

type ConfirmProps<Body> = {
  title: string
  /** The question itself. */
  text: string
  /** What it is about: a name, a size, the error of the last attempt, or fields. */
  children?: ReactNode | ((field: (name: string) => NamedField) => ReactNode)
  /** Of the fields. */
  schema?: Schema<Body>
  says?: Partial<Record<string, string>> | undefined
  confirm: string
  cancel?: string
  isDangerous?: boolean
  isBusy?: boolean
  onConfirm: (body: Body) => void
  onClose: () => void
}

/** Confirms something that cannot be undone, or that takes long. Stays open while it is in progress. */
export function ConfirmDialog<Body = unknown>({
  title,
  text,
  children,
  onClose,
  ...rest
}: ConfirmProps<Body>) {
  const { confirm, cancel = 'Cancel', isDangerous = false, isBusy = false } = rest
  const { schema = z.any(), says, onConfirm } = rest
  const form = useForm<Body>(schema, { says, send: onConfirm, isBusy })
  return (
    <Dialog label={title} width={420} onClose={onClose}>
      <form {...form.props}>
        <Stack gap="sm">
          {typeof children === 'function' ? children(form.field) : children}
          <p>{text}</p>
          <Flex wrap="wrap" gap="xs" justify="flex-end" mt="xs">
            <Button variant="default" onClick={onClose}>
              {cancel}
            </Button>
            <Button type="submit" color={isDangerous ? 'ember' : 'petrol'} loading={isBusy}>
              {confirm}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Open dialogs, the one on top last. */
const opened: symbol[] = []

/** Whether no other dialog is above this one: Escape closes one dialog at a time. */
function useTop(): () => boolean {
  const [self] = useState(() => Symbol('dialog'))
  useEffect(() => {
    opened.push(self)
    return () => void opened.splice(opened.indexOf(self), 1)
  }, [self])
  return () => opened.at(-1) === self
}

/** Makes the page behind a dialog inert, as for one of the browser's own dialogs. */
function useInertPage() {
  useEffect(() => {
    const behind = [...document.body.children].filter((each) => !each.matches(APART))
    for (const each of behind) each.toggleAttribute('inert', true)
    return () => behind.forEach((each) => each.toggleAttribute('inert', false))
  }, [])
}

/** Elements to leave as they are: those that contain dialogs, and those already inert. */
const APART = '[data-portal], :has([role=dialog]), [inert], script'

/** The library returns the focus when a dialog is closed, but not when it is unmounted. */
function useFocusBack() {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => () => queueMicrotask(() => giveFocusBack(opener)), [opener])
}

function giveFocusBack(opener: Element | null) {
  const isLost = document.activeElement === document.body
  if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus()
}

/** Escape first leaves full screen, and only then closes the dialog. */
function leaveOneLevel(close: () => void) {
  if (document.fullscreenElement) void document.exitFullscreen()
  else close()
}

/** A click outside the dialog does nothing: it neither closes the dialog nor takes its focus. */
function keepFocus(event: MouseEvent) {
  if (event.target === event.currentTarget) event.preventDefault()
}
