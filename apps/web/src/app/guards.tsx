/** Who may see what: sends visitors without a session to `/`, and signed-in users from `/` to `/prompt`. */
import { Navigate, Outlet } from 'react-router'
import { messageOf } from '#web/lib/api.ts'
import { type Session, startSession, useSession } from '#web/lib/session.ts'
import { UnverifiedScreen } from './unverified-screen.tsx'
import { WaitingScreen } from './waiting-screen.tsx'

export function SignedInOnly() {
  const session = useSession()
  return session.status === 'anonymous' ? (
    <Navigate to="/" replace />
  ) : (
    <Settled session={session} />
  )
}

export function AnonymousOnly() {
  const session = useSession()
  return session.status === 'signed-in' ? (
    <Navigate to="/prompt" replace />
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
      const reason = messageOf(error, 'The server did not answer as expected.')
      return <UnverifiedScreen {...{ error, reason }} onRetry={() => void startSession()} />
    }
    case 'anonymous':
    case 'signed-in':
      return <Outlet />
  }
}
