/** A pair that came with a link: it is asked when the user says so, because asking may cost a credit. */
import { Button } from '@mantine/core'
import { Note } from '#web/ui/note.tsx'
import { countCredits } from './credit-line.ts'

export function UnaskedNote({ price, onAsk }: { price: number | null; onAsk: () => void }) {
  const cost = price === null ? '' : `It takes ${countCredits(price)}, or none`
  return (
    <Note
      tone="info"
      title="This pair came with a link"
      action={<Button onClick={onAsk}>Predict</Button>}
    >
      {`${cost || 'It costs nothing'} if you have asked for this pair before.`}
    </Note>
  )
}
