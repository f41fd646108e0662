/** Above the page of a shared screen: whose it is. */
import { useViewing } from '#web/lib/viewing.tsx'

export function SharedNote() {
  const viewing = useViewing()
  if (viewing === null) return null
  return (
    <div>
      <p className="quiet">{`Shared by ${viewing.owner || 'another user'}, for viewing.`}</p>
    </div>
  )
}
