/** `/sign-in/return`: where a provider sends people back; ends what they started and goes on, or says why not. */
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { MessageScreen, WaitingScreen } from './message-screen.tsx'
import { finishReturn, SIGN_INS_PAGE } from '#web/features/auth/provider-flow.ts'
import { useSession } from '#web/features/auth/session.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'

export function ReturnPage() {
  const { search } = useLocation()
  const { status: session } = useSession()
  const {
    status,
    data: next,
    error,
  } = useQuery({
    queryKey: ['sign-in return'],
    queryFn: () => finishReturn(search),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  if (status === 'pending') return <WaitingScreen text="Signing in..." />
  if (status === 'success') return <Navigate to={next} replace />
  const isSignedIn = session === 'signed-in'
  return (
    <MessageScreen
      title={isSignedIn ? 'The account was not added' : 'You are not signed in'}
      text={messageOf(error, error.message)}
      action={
        <Button component="a" href={isSignedIn ? SIGN_INS_PAGE : '/'}>
          {isSignedIn ? 'Back to your account' : 'Back to sign-in'}
        </Button>
      }
    />
  )
}
