/** Above the page of a shared screen: whose it is, and how to go on with it. */
import { Flex } from '#web/ui/layout.ts'
import { useViewing } from '#web/lib/viewing.tsx'
import { CopyButton } from './copy-button.tsx'
import classes from './share-button.module.css'

export function SharedNote({ id }: { id: string }) {
  const viewing = useViewing()
  if (viewing === null) return null
  return (
    <Flex className={classes.note} wrap="wrap" rowGap="xs" columnGap="md" align="center">
      <p className="quiet">{`Shared by ${viewing.owner || 'another user'}, for viewing.`}</p>
      {viewing.exports && <CopyButton id={id} />}
    </Flex>
  )
}
