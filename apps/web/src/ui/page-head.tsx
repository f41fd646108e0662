/** The head of a page: where it belongs, what it is, and its one main action. */
import type { ReactNode } from 'react'
import classes from './page-head.module.css'

type Props = { title: ReactNode; above?: ReactNode; below?: ReactNode; children?: ReactNode }

export function PageHead({ title, above, below, children }: Props) {
  return (
    <div className={classes.head}>
      <div className={classes.text}>
        {above !== undefined && <p className="small">{above}</p>}
        <h1>{title}</h1>
        {below !== undefined && <p className="quiet">{below}</p>}
      </div>
      {children}
    </div>
  )
}
