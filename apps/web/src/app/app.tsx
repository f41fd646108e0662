/** Everything the pages need around them: theme, server state, routes. */
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router/dom'
import { ApiError } from '#web/lib/api.ts'
import { readSession, subscribeSession } from '#web/lib/session.ts'
import { colorSchemeManager, cssVariables, theme } from '#web/ui/theme/theme.ts'
import { createRouter } from './router.tsx'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: isWorthRetrying,
      // The server may be this very machine, with no network at all: never wait for the browser to say "online".
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})
forgetWithSession(queryClient)

const router = createRouter()

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      cssVariablesResolver={cssVariables}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Once more when the server gave no answer or stumbled; a refusal stays one. */
function isWorthRetrying(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** What one person saw must not greet the next one. */
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
