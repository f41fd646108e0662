/** What happened, what it means, and one way on. A failure interrupts a screen reader; anything else waits its turn. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import classes from './note.module.css'

type Props = {
  tone: 'info' | 'success' | 'warning' | 'failure'
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
}

const icons: Record<Props['tone'], IconName> = {
  info: 'info',
  success: 'done',
  warning: 'warning',
  failure: 'warning',
}

export function Note({ tone, title, children, action }: Props) {
  const isWarm = tone === 'warning' || tone === 'failure'
  return (
    <div
      className={classes.note}
      data-warm={isWarm}
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
