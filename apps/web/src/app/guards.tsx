/**
 * Access: redirects visitors without a session to `/`, and signed-in users from `/` to `/prompt` or to the page they
 * asked for.
 */
import { useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { readWanted, type Session, startSession, useSession } from '#web/features/auth/session.ts'
import { messageOf } from '#web/lib/api.ts'
import { UnverifiedScreen, WaitingScreen } from './message-screen.tsx'

export function SignedInOnly() {
  const session = useSession()
  const { pathname, search } = useLocation()
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (!wasSignedIn && session.status === 'signed-in') setWasSignedIn(true)
  if (session.status !== 'anonymous') return <Settled session={session} />
  // A link is kept until sign-in; signing out, or closing the page, drops it.
  const isLink = !wasSignedIn && (search !== '' || pathname.startsWith('/screens/'))
  return <Navigate to="/" replace state={isLink ? { wanted: pathname + search } : null} />
}

export function AnonymousOnly() {
  const session = useSession()
  const { state } = useLocation()
  return session.status === 'signed-in' ? (
    <Navigate to={readWanted(state) ?? '/prompt'} replace />
  ) : (
    <Settled session={session} />
  )
}

function Settled({ session }: { session: Session }) {
  switch (session.status) {
    case 'checking':
      return <WaitingScreen text="Checking your session" />
    case 'unverified': {
      const { error } = session
      const reason = messageOf(error, 'Unexpected response from the server.')
      return <UnverifiedScreen {...{ error, reason }} onRetry={() => void startSession()} />
    }
    case 'anonymous':
    case 'signed-in':
      return <Outlet />
  }
}
