/** `/admin/login`: the login form. */
import { Flex } from '#web/ui/layout.ts'
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
        <Flex className={classes.head} wrap="wrap" align="center" gap="sm" mb="lg">
          <Mark size={28} />
          <h1 id="admin-login">Administration</h1>
        </Flex>
        <AdminLoginForm notice={session.status === 'anonymous' ? session.message : null} />
      </section>
    </main>
  )
}
