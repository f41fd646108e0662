/** `/admin/login`: the login form. */
import { AdminLoginForm } from '#web/features/admin-auth/admin-login-form.tsx'
import { useAdminSession } from '#web/features/admin-auth/admin-session.ts'
import { Mark } from '#web/ui/logo.tsx'
import classes from './admin-login-page.module.css'

export function AdminLoginPage() {
  const session = useAdminSession()
  return (
    <main className={classes.page}>
      <title>Admin login · pKdex</title>
      <section className={`sheet ${classes.sheet}`} aria-labelledby="admin-login">
        <div className={classes.head}>
          <Mark size={28} />
          <h1 id="admin-login">Administration</h1>
        </div>
        <AdminLoginForm notice={session.status === 'anonymous' ? session.message : null} />
      </section>
    </main>
  )
}
