/** Providers for all pages (theme, server state), and the choice between the sign-in screen and the routes. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ApiError } from '#web/lib/api.ts'
import { readSession, subscribeSession, useSession } from '#web/features/auth/session.ts'
import { LoginPage } from '#web/routes/login/login-page.tsx'
import { ThemeProvider } from '#web/ui/theme/theme-provider.tsx'
import { RouteFailure, WaitingScreen } from './message-screen.tsx'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: isWorthRetrying,
      // The server may be this machine, with no network at all: never wait for the browser to say "online".
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
forgetWithSession(queryClient)

const Pages = lazy(() => loadPages().catch(() => ({ default: RouteFailure })))

export function App() {
  return (
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <SignInFirst />
      </QueryClientProvider>
    </ThemeProvider>
  )
}

/**
 * Visitors without a key see the sign-in screen immediately. The routes, and all pages behind the
 * sign-in, are loaded when the first key or button is pressed; from then on they render the page.
 */
function SignInFirst() {
  const isAnonymous = useSession().status === 'anonymous'
  const [isFirst, setIsFirst] = useState(isAnonymous && location.pathname === '/')
  if (isFirst && !isAnonymous) setIsFirst(false)

  useEffect(() => {
    const presses = ['pointerdown', 'keydown'] as const
    // If this fails, they are loaded when they are needed.
    const load = () => void loadPages().catch(() => undefined)
    for (const press of presses) addEventListener(press, load, { once: true })
    return () => presses.forEach((press) => removeEventListener(press, load))
  }, [])

  if (isFirst) return <LoginPage />
  return (
    <Suspense fallback={<WaitingScreen text="Loading..." />}>
      <Pages />
    </Suspense>
  )
}

async function loadPages() {
  return { default: (await import('./pages.tsx')).Pages }
}

/** One retry if the server did not respond or failed; a refusal is final. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** Data of one user must not be shown to the next. */
function forgetWithSession(client: QueryClient): void {
  let email: string | null = null
  subscribeSession(() => {
    const session = readSession()
    if (session.status === 'checking' || session.status === 'unverified') return
    const next = session.status === 'signed-in' ? session.email : null
    if (email !== null && email !== next) client.clear()
    email = next
  })
}
