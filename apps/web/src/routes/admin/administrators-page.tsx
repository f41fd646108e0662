/** `/admin/administrators`: the administrators, and your own password. */
import { Administrators } from '#web/features/admin-auth/administrators.tsx'
import { OwnPassword } from '#web/features/admin-auth/own-password.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import classes from './administrators-page.module.css'

export function AdministratorsPage() {
  return (
    <>
      <title>Administrators · pKdex</title>
      <PageHead title="Administrators" below="Separate from user accounts" />
      <div className={classes.columns}>
        <Administrators />
        <OwnPassword />
      </div>
    </>
  )
}
