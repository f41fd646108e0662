/** The frame of every page behind the sign-in: title, skip link, header, main. */
import type { ReactNode } from 'react'
import { Header } from './header.tsx'
import classes from './page-frame.module.css'

type Props = {
  /** Goes before the product's name in the browser's title. */
  title: string
  /** Stands in the header beside the theme toggle; the credits on the results page. */
  headerSlot?: ReactNode
  children: ReactNode
}

export function PageFrame({ title, headerSlot, children }: Props) {
  return (
    <>
      <title>{`${title} · pKdex`}</title>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <Header slot={headerSlot} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}
