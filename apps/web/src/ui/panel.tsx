/** One subject on one sheet, with its heading and what can be done with the whole of it. */
import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

type Props = { title: string; action?: ReactNode; isFlush?: boolean; children: ReactNode }

/** `isFlush`: what stands in it reaches the edges, as tables do. */
export function Panel({ title, action, isFlush = false, children }: Props) {
  const id = useId()
  return (
    <section className={`sheet ${classes.panel}`} aria-labelledby={id} data-flush={isFlush}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}
