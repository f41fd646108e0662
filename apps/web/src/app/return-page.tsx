/** `/sign-in/return`: where a provider sends people back; ends the sign-in and goes on, or says why not. */
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { MessageScreen, WaitingScreen } from './message-screen.tsx'
import { finishSignIn } from '#web/features/auth/other-providers.tsx'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'

export function ReturnPage() {
  const { search } = useLocation()
  const { status, error } = useQuery({
    queryKey: ['sign-in return'],
    queryFn: async () => {
      await finishSignIn(search)
      return null
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  if (status === 'pending') return <WaitingScreen text="Signing in..." />
  if (status === 'success') return <Navigate to="/prompt" replace />
  return (
    <MessageScreen
      title="You are not signed in"
      text={messageOf(error, error.message)}
      action={
        <Button component="a" href="/">
          Back to sign-in
        </Button>
      }
    />
  )
}
