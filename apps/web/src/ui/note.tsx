/** What happened, what it means, and one way on. A failure interrupts a screen reader; anything else waits its turn. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import classes from './note.module.css'

type Props = {
  tone: 'info' | 'success' | 'warning' | 'failure'
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** Without a ground of its own: one that always stands there must not be the largest colour. */
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
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  )
}

type AnnouncementProps = {
  tone: 'success' | 'warning'
  title?: string
  takesFocus?: boolean
  children: ReactNode
}

/** Something that has just been done, told once. It can take the focus where the control that did it is gone. */
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
