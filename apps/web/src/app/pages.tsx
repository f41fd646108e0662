/** All pages by path. Separate, so that the sign-in screen does not wait for the router. */
import { RouterProvider } from 'react-router/dom'
import { createRouter } from './router.tsx'

const router = createRouter()

export function Pages() {
  return <RouterProvider router={router} />
}
