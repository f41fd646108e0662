/** The routes of the specification. Pages behind the sign-in are loaded on first use. */
import { useEffect, useRef } from 'react'
import { createBrowserRouter, Link, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { LoginPage } from '#web/routes/login/login-page.tsx'
import { Button } from '#web/ui/button.ts'
import { adminRoutes } from './admin-routes.tsx'
import { AnonymousOnly, SignedInOnly } from './guards.tsx'
import { MessageScreen, PageFailure, RouteFailure, WaitingScreen } from './message-screen.tsx'

const pages = [
  { path: '/prompt', lazy: loadPrompt },
  { path: '/results', lazy: loadResults },
  { path: '/account', lazy: loadAccount },
  { path: '/account/alerts', lazy: loadAlerts },
  { path: '/history', lazy: loadHistory },
  { path: '/measurements', lazy: loadMeasurements },
  { path: '/targets/:name', lazy: loadTarget },
  { path: '/screens', lazy: () => loadScreens('ScreensPage') },
  { path: '/screens/new', lazy: () => loadScreens('NewScreenPage') },
  {
    lazy: () => loadScreens('ScreenArea'),
    children: [
      { path: '/screens/:id', lazy: () => loadScreens('ScreenPage') },
      { path: '/screens/:id/report', lazy: () => loadScreens('ReportPage') },
      { path: '/screens/:id/series', lazy: loadSeries },
    ],
  },
  { path: '/series', lazy: loadSeriesList },
]

export function createRouter() {
  return createBrowserRouter([
    {
      Component: RouteFocus,
      ErrorBoundary: RouteFailure,
      HydrateFallback: () => <WaitingScreen text="Loading..." />,
      children: [
        { Component: AnonymousOnly, children: [{ path: '/', Component: LoginPage }] },
        { path: '/sign-in/return', lazy: loadReturn },
        { path: '/accuracy', lazy: loadAccuracy },
        {
          Component: SignedInOnly,
          children: [
            {
              lazy: loadFrame,
              children: [{ ErrorBoundary: PageFailure, children: pages }],
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
  const { PageFrame } = await import('./user-area.tsx')
  if ('requestIdleCallback' in window) requestIdleCallback(fetchOtherPages)
  return { Component: PageFrame }
}

/** Preloads pages, so that they open offline as well; a failed one is loaded again when needed. */
function fetchOtherPages(): void {
  const loads = [loadHistory, loadMeasurements, loadAccount, loadAlerts, loadSeries, loadScreens]
  for (const load of loads) void load('ScreensPage').catch(() => undefined)
}

async function loadReturn() {
  return { Component: (await import('./return-page.tsx')).ReturnPage }
}

async function loadPrompt() {
  return { Component: (await import('./user-area.tsx')).PromptPage }
}

async function loadAccount() {
  return { Component: (await import('#web/routes/account/account-page.tsx')).AccountPage }
}

async function loadAlerts() {
  return { Component: (await import('#web/routes/account/alerts-page.tsx')).AlertsPage }
}

async function loadResults() {
  return { Component: (await import('./user-area.tsx')).ResultsPage }
}

async function loadHistory() {
  return { Component: (await import('#web/routes/history/history-page.tsx')).HistoryPage }
}

async function loadMeasurements() {
  const { MeasurementsPage } = await import('#web/routes/measurements/measurements-page.tsx')
  return { Component: MeasurementsPage }
}

async function loadTarget() {
  return { Component: (await import('#web/routes/accuracy/target-page.tsx')).TargetPage }
}

async function loadAccuracy() {
  await import('#web/ui/theme/pages.css')
  return { Component: (await import('#web/routes/accuracy/accuracy-page.tsx')).AccuracyPage }
}

async function loadSeries() {
  return { Component: (await import('#web/routes/series/series-page.tsx')).SeriesPage }
}

async function loadSeriesList() {
  return { Component: (await import('#web/routes/series/series-list-page.tsx')).SeriesListPage }
}

type ScreensPart = 'ScreensPage' | 'NewScreenPage' | 'ScreenArea' | 'ScreenPage' | 'ReportPage'

async function loadScreens(page: ScreensPart) {
  return { Component: (await import('./screens-area.tsx'))[page] }
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

/** Any URL that is not in the specification. */
function NotFoundPage() {
  return (
    <MessageScreen
      title="Page not found"
      text="Check the address, or go to Upload."
      action={
        <Button component={Link} to="/prompt">
          Go to upload
        </Button>
      }
    />
  )
}
