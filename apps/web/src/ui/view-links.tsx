/** Links between the views of one page; the URL stores the current one. */
import type { FunctionComponent, ReactNode } from 'react'
import classes from './view-links.module.css'

type LinkProps = {
  to: { search: string }
  replace: boolean
  preventScrollReset: boolean
  'aria-current': 'page' | undefined
  children: ReactNode
}

type Props<View extends string> = {
  /** The router's link. */
  link: FunctionComponent<LinkProps>
  label: string
  views: readonly { view: View; label: string }[]
  shown: View
  searchOf: (view: View) => string
}

export function ViewLinks<View extends string>(props: Props<View>) {
  const { link: Link, label, views, shown, searchOf } = props
  return (
    <nav className={classes.views} aria-label={label}>
      {views.map(({ view, label: name }) => (
        <Link
          key={view}
          replace
          preventScrollReset
          to={{ search: searchOf(view) }}
          aria-current={view === shown ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
