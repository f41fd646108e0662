/** Renders a part of the client as the app does: theme, server state, routes. */
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { cssVariables, theme } from '#web/ui/theme/theme.ts'

export function renderScreen(children: ReactNode) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return render(children, {
    wrapper: ({ children: inner }) => (
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
        <QueryClientProvider client={client}>{inner}</QueryClientProvider>
      </MantineProvider>
    ),
  })
}

/** Pages with their routes; the router is returned so that a test can check the location. */
export function renderRoutes(routes: Record<string, ReactNode>, at: string) {
  const router = createMemoryRouter(
    Object.entries(routes).map(([path, element]) => ({ path, element })),
    { initialEntries: [at] },
  )
  renderScreen(<RouterProvider router={router} />)
  return router
}
