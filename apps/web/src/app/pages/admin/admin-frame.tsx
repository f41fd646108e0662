/** The frame of every admin page: skip link, side bar, main. */
import type { ReactNode } from 'react'
import frame from '#web/app/page-frame.module.css'
import { Announcement } from '#web/ui/announcement.tsx'
import classes from './admin-frame.module.css'
import { AdminSideBar } from './admin-side-bar.tsx'

type Props = { email: string | null; keyWarning: string | null; children: ReactNode }

export function AdminFrame({ email, keyWarning, children }: Props) {
  return (
    <div className={classes.frame}>
      <a className={frame.skip} href="#main">
        Skip to content
      </a>
      <AdminSideBar email={email} />
      <main id="main" className={classes.main} tabIndex={-1}>
        {keyWarning !== null && (
          <Announcement tone="warning" title="Signed in without an API key">
            Everything works all the same. Why there is no key: {keyWarning}
          </Announcement>
        )}
        {children}
      </main>
    </div>
  )
}
