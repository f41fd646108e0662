/** A link to a new screen of compounds that the user has. */
import { Link } from 'react-router'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { Button } from '#web/ui/button.ts'

type Props = { targets: string[]; compounds: string[] }

/** Shows nothing without compounds. */
export function NewScreenOf({ targets, compounds }: Props) {
  if (compounds.length === 0) return null
  return (
    <OwnerOnly>
      <Button component={Link} variant="subtle" to="/screens/new" state={{ targets, compounds }}>
        New screen
      </Button>
    </OwnerOnly>
  )
}
