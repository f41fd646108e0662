/** Any address that the specification does not name. */
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { CalmScreen } from '../calm-screen.tsx'

export function NotFoundPage() {
  return (
    <CalmScreen
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
