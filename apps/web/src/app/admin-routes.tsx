/** The routes of the admin area. They form one chunk, so that a user's first page does not load it. */
import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import type * as adminArea from './admin-area.tsx'

type Area = typeof adminArea

export const adminRoutes: RouteObject[] = [
  {
    lazy: from((area) => area.AdminAnonymousOnly),
    children: [{ path: '/admin/login', lazy: from((area) => area.AdminLoginPage) }],
  },
  {
    path: '/admin',
    lazy: from((area) => area.AdminOnly),
    children: [
      { index: true, lazy: from((area) => area.DashboardPage) },
      { path: 'users', lazy: from((area) => area.UsersPage) },
      { path: 'users/create', lazy: from((area) => area.CreateUserPage) },
      { path: 'users/import', lazy: from((area) => area.ImportUsersPage) },
      { path: 'users/:userId', lazy: from((area) => area.UserPage) },
      { path: 'database/stats', lazy: from((area) => area.StatsPage) },
      { path: 'database/export', lazy: from((area) => area.ExportPage) },
      { path: 'administrators', lazy: from((area) => area.AdministratorsPage) },
      { path: 'audit', lazy: from((area) => area.AuditPage) },
    ],
  },
  { path: '/admin/*', element: <Navigate to="/admin/login" replace /> },
]

function from(choose: (area: Area) => ComponentType) {
  return async () => ({ Component: choose(await openArea()) })
}

let opening: Promise<Area> | null = null

/** The stored session is restored once, when the area is first opened. */
async function openArea(): Promise<Area> {
  opening ??= import('./admin-area.tsx').then((area) => {
    void area.startAdminSession()
    return area
  })
  return opening
}
