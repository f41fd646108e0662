/** Something that has just been done, told once. It can take the focus where the control that did it is gone. */
import type { ReactNode } from 'react'
import { Note } from './note.tsx'
import classes from './announcement.module.css'

type Props = {
  tone: 'success' | 'warning'
  title?: string
  takesFocus?: boolean
  children: ReactNode
}

export function Announcement({ tone, title, takesFocus = false, children }: Props) {
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
