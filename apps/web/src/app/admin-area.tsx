/** The admin area in one module, loaded when it is first opened. */
import '#web/ui/theme/pages.css'
export { startAdminSession } from '#web/features/admin-auth/admin-session.ts'
export { AdministratorsPage } from '#web/routes/admin/administrators-page.tsx'
export { AdminLoginPage } from '#web/routes/admin/admin-login-page.tsx'
export { DashboardPage } from '#web/routes/admin/dashboard-page.tsx'
export { AuditPage, ExportPage, StatsPage } from '#web/routes/admin/database-pages.tsx'
export {
  CreateUserPage,
  ImportUsersPage,
  UserPage,
  UsersPage,
} from '#web/routes/admin/user-pages.tsx'
export { AdminAnonymousOnly, AdminOnly } from './admin-guards.tsx'
