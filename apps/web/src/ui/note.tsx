/** A message: what happened, what it means, and one action. A failure interrupts a screen reader; other messages wait. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import classes from './note.module.css'

type Props = {
  tone: 'info' | 'success' | 'warning' | 'failure'
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** Without a background: a permanent note must not be the largest coloured area. */
  isQuiet?: boolean
}

const icons: Record<Props['tone'], IconName> = {
  info: 'info',
  success: 'done',
  warning: 'warning',
  failure: 'warning',
}

export function Note({ tone, title, children, action, isQuiet = false }: Props) {
  const isWarm = tone === 'warning' || tone === 'failure'
  return (
    <div
      className={classes.note}
      data-warm={isWarm}
      data-quiet={isQuiet}
      role={tone === 'failure' ? 'alert' : undefined}
    >
      <Icon name={icons[tone]} />
      <div className={classes.text}>
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {action != null && <div className={classes.action}>{action}</div>}
    </div>
  )
}

type AnnouncementProps = {
  tone: 'success' | 'warning'
  title?: string
  takesFocus?: boolean
  children: ReactNode
}

/** Announces something just done. It can take the focus if the control that did it is no longer there. */
export function Announcement({ tone, title, takesFocus = false, children }: AnnouncementProps) {
  return (
    <output
      className={classes.announcement}
      tabIndex={-1}
      ref={takesFocus ? (element) => element?.focus() : null}
    >
      <Note tone={tone} title={title}>
        {children}
      </Note>
    </output>
  )
}
