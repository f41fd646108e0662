/** The routes of the specification. Pages behind the sign-in are loaded when they are first asked for. */
import { useEffect, useRef } from 'react'
import { createBrowserRouter, Link, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { LoginPage } from '#web/routes/login/login-page.tsx'
import { Button } from '#web/ui/button.ts'
import { adminRoutes } from './admin-routes.tsx'
import { AnonymousOnly, SignedInOnly } from './guards.tsx'
import type { FrameHandle } from './header.tsx'
import { MessageScreen, RouteFailure, WaitingScreen } from './message-screen.tsx'

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
            {
              lazy: loadFrame,
              children: [
                { path: '/prompt', lazy: loadPrompt },
                { path: '/results', lazy: loadResults },
                { path: '/account', lazy: loadAccount },
                { path: '/history', lazy: loadHistory },
                { path: '/measurements', lazy: loadMeasurements },
                { path: '/screens', lazy: () => loadScreens('ScreensPage') },
                { path: '/screens/new', lazy: () => loadScreens('NewScreenPage') },
                { path: '/screens/:id', lazy: () => loadScreens('ScreenPage') },
                { path: '/screens/:id/report', lazy: () => loadScreens('ReportPage') },
              ],
            },
          ],
        },
        ...adminRoutes,
        { path: '*', Component: NotFoundPage },
      ],
    },
  ])
}

async function loadFrame() {
  return { Component: (await import('./user-area.tsx')).PageFrame }
}

async function loadPrompt() {
  return { Component: (await import('./user-area.tsx')).PromptPage }
}

async function loadAccount() {
  return { Component: (await import('#web/routes/account/account-page.tsx')).AccountPage }
}

async function loadResults() {
  const { ResultsPage, ResultsHeaderSlot } = await import('./user-area.tsx')
  return { Component: ResultsPage, handle: { HeaderSlot: ResultsHeaderSlot } satisfies FrameHandle }
}

async function loadHistory() {
  return { Component: (await import('#web/routes/history/history-page.tsx')).HistoryPage }
}

async function loadMeasurements() {
  const { MeasurementsPage } = await import('#web/routes/measurements/measurements-page.tsx')
  return { Component: MeasurementsPage }
}

async function loadScreens(page: 'ScreensPage' | 'NewScreenPage' | 'ScreenPage' | 'ReportPage') {
  const [pages, { ResultsHeaderSlot }] = await Promise.all([
    import('./screens-area.tsx'),
    import('./user-area.tsx'),
  ])
  const handle = { HeaderSlot: ResultsHeaderSlot } satisfies FrameHandle
  return { Component: pages[page], handle }
}

/** After a change of route the focus goes to the new page's heading, so that a screen reader starts there. */
function RouteFocus() {
  const { pathname } = useLocation()
  const lastPathname = useRef(pathname)

  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    const heading = document.querySelector('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}

/** Any address that the specification does not name. */
function NotFoundPage() {
  return (
    <MessageScreen
      title="Page not found"
      text="There is nothing at this address. It may have been mistyped."
      action={
        <Button component={Link} to="/prompt">
          Go to upload
        </Button>
      }
    />
  )
}
