/** From one target to all compounds: a screen, whose price stands on the button before it is spent. */
import { startScreen } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { countCredits } from '#web/features/predictions/prediction-state.ts'
import { call, messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'
import classes from './predict-all.module.css'

type Props = {
  target: string
  creditsNeeded: number
  onBalanceChange: () => void
}

export function PredictAll({ target, creditsNeeded, onBalanceChange }: Props) {
  const navigate = useNavigate()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call(startScreen, { body: { targets: [target], compounds: 'all' } }),
    onSuccess: ({ id }) => navigate(`/screens/${id}`),
    onSettled: onBalanceChange,
  })
  return (
    <div className={classes.all}>
      <Button variant="default" fullWidth disabled={isPending} onClick={() => mutate()}>
        Predict all for this target ({countCredits(creditsNeeded)})
      </Button>
      {error && (
        <Note tone="failure" title="The screen was not started">
          {messageOf(error, 'Nothing was taken.')}
        </Note>
      )}
    </div>
  )
}
