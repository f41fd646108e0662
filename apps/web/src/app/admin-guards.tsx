/** Access to the admin area: others are redirected to its login, and afterwards to the requested page. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { startAdminSession, useAdminSession } from '#web/features/admin-auth/admin-session.ts'
import { adminReason } from '#web/lib/admin-api.ts'
import { Announcement } from '#web/ui/note.tsx'
import classes from './admin-frame.module.css'
import { AdminSideBar } from './admin-side-bar.tsx'
import { UnverifiedScreen, WaitingScreen } from './message-screen.tsx'
import frame from './skip-link.module.css'

export function AdminOnly() {
  const session = useAdminSession()
  const location = useLocation()
  switch (session.status) {
    case 'checking':
      return <WaitingScreen text="Checking your session" />
    case 'unverified':
      return <Unverified error={session.error} />
    case 'anonymous':
      return <Navigate to="/admin/login" replace state={{ from: location }} />
    case 'signed-in':
      return <SignedIn {...session} />
  }
}

export function AdminAnonymousOnly() {
  const session = useAdminSession()
  const { state } = useLocation()
  switch (session.status) {
    case 'checking':
      return <WaitingScreen text="Checking your session" />
    case 'unverified':
      return <Unverified error={session.error} />
    case 'signed-in':
      return <Navigate to={state?.from ?? '/admin'} replace />
    case 'anonymous':
      return <Outlet />
  }
}

function SignedIn({ email, keyWarning }: { email: string | null; keyWarning: string | null }) {
  useForgetAtTheEnd()
  return (
    <AdminFrame email={email} keyWarning={keyWarning}>
      <Outlet />
    </AdminFrame>
  )
}

/** Data of one administrator must not be shown to the next. */
function useForgetAtTheEnd() {
  const client = useQueryClient()
  useEffect(() => () => client.removeQueries({ queryKey: ['admin'] }), [client])
}

function Unverified({ error }: { error: unknown }) {
  return (
    <UnverifiedScreen
      error={error}
      reason={adminReason(error)}
      onRetry={() => void startAdminSession()}
    />
  )
}

type FrameProps = { email: string | null; keyWarning: string | null; children: ReactNode }

/** The frame of every admin page: skip link, side bar, main. */
function AdminFrame({ email, keyWarning, children }: FrameProps) {
  return (
    <div className={classes.frame}>
      <a className={frame.skip} href="#main">
        Skip to content
      </a>
      <AdminSideBar email={email} />
      <main id="main" className={classes.main} tabIndex={-1}>
        {keyWarning !== null && (
          <Announcement tone="warning" title="Signed in without an API key">
            You can continue. Reason: {keyWarning}
          </Announcement>
        )}
        {children}
      </main>
    </div>
  )
}
