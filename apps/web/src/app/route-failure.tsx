/** The last net: a page that could not be loaded or drawn says so and offers a reload. */
import { Button } from '@mantine/core'
import { CalmScreen } from './calm-screen.tsx'

export function RouteFailure() {
  return (
    <CalmScreen
      title="This page could not be shown"
      text="Your files and predictions are safe. Reloading usually helps."
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    />
  )
}
