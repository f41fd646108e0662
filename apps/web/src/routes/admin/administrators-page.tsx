/** `/admin/administrators`: who administers, and one's own password. */
import { Administrators } from '#web/features/admin-auth/administrators.tsx'
import { OwnPassword } from '#web/features/admin-auth/own-password.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import classes from './administrators-page.module.css'

export function AdministratorsPage() {
  return (
    <>
      <title>Administrators · pKdex</title>
      <PageHead title="Administrators" below="They are other accounts than users" />
      <div className={classes.columns}>
        <Administrators />
        <OwnPassword />
      </div>
    </>
  )
}
