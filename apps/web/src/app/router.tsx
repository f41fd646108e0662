/** The routes of the specification. Pages behind the sign-in are loaded when they are first asked for. */
import { createBrowserRouter } from 'react-router'
import { adminRoutes } from './admin-routes.tsx'
import { AnonymousOnly, SignedInOnly } from './guards.tsx'
import { LoginPage } from './pages/login-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { RouteFailure } from './route-failure.tsx'
import { RouteFocus } from './route-focus.tsx'
import { WaitingScreen } from './waiting-screen.tsx'

export function createRouter() {
  return createBrowserRouter([
    {
      Component: RouteFocus,
      ErrorBoundary: RouteFailure,
      HydrateFallback: () => <WaitingScreen text="Loading..." />,
      children: [
        { Component: AnonymousOnly, children: [{ path: '/', Component: LoginPage }] },
        {
          Component: SignedInOnly,
          children: [
            { path: '/prompt', lazy: loadPrompt },
            { path: '/results', lazy: loadResults },
          ],
        },
        ...adminRoutes,
        { path: '*', Component: NotFoundPage },
      ],
    },
  ])
}

async function loadPrompt() {
  return { Component: (await import('./pages/prompt-page.tsx')).PromptPage }
}

async function loadResults() {
  return { Component: (await import('./pages/results-page.tsx')).ResultsPage }
}
