/** Who may see the admin area: others are sent to its login, and back to where they wanted to go. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { UnverifiedScreen } from '#web/app/unverified-screen.tsx'
import { WaitingScreen } from '#web/app/waiting-screen.tsx'
import { adminReason } from '#web/lib/admin-api.ts'
import { startAdminSession, useAdminSession } from '#web/lib/admin-session.ts'
import { AdminFrame } from './admin-frame.tsx'

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

/** What one administrator saw must not greet the next one. */
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
