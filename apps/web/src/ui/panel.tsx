/** What a page of the admin area is made of: its head, and sheets with one subject each. */
import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

type PageHeadProps = {
  title: ReactNode
  above?: ReactNode
  below?: ReactNode
  children?: ReactNode
}

/** Where a page belongs, what it is, and its one main action. */
export function PageHead({ title, above, below, children }: PageHeadProps) {
  return (
    <div className={classes.page}>
      <div className={classes.title}>
        {above !== undefined && <p className="small">{above}</p>}
        <h1>{title}</h1>
        {below !== undefined && <p className="quiet">{below}</p>}
      </div>
      {children}
    </div>
  )
}

type PanelProps = { title: string; action?: ReactNode; isFlush?: boolean; children: ReactNode }

/** A sheet with its heading and what can be done with the whole of it. `isFlush`: what stands in it reaches the edges, as tables do. */
export function Panel({ title, action, isFlush = false, children }: PanelProps) {
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
