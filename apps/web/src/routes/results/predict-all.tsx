/** Predicts all compounds on one target as a screen, with the cost on the button. */
import { Stack } from '#web/ui/layout.ts'
import { startScreen } from '@pkdex/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { creditsQuery } from '#web/features/credits/credits-counter.tsx'
import { countCredits } from '#web/features/predictions/prediction-state.ts'
import { ApiError, call, messageOf, newOrderKey } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Note } from '#web/ui/note.tsx'

type Props = {
  target: string
  creditsNeeded: number
  onBalanceChange: () => void
}

export function PredictAll({ target, creditsNeeded, onBalanceChange }: Props) {
  const navigate = useNavigate()
  const [orderKey, setOrderKey] = useState(newOrderKey)
  const { data: balance } = useQuery(creditsQuery())
  const missing = balance === undefined ? 0 : creditsNeeded - balance.credits
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      call(startScreen, {
        body: { targets: [target], compounds: 'all' },
        headers: { 'Idempotency-Key': orderKey },
      }),
    onError: (failure) => isRefusal(failure) && setOrderKey(newOrderKey()),
    onSuccess: ({ id }) => navigate(`/screens/${id}`),
    onSettled: onBalanceChange,
  })
  return (
    <Stack className="wraps" gap="xs" mt="sm">
      <Button
        variant="default"
        fullWidth
        disabled={isPending || missing > 0}
        onClick={() => mutate()}
      >
        Predict all for this target ({countCredits(creditsNeeded)})
      </Button>
      {missing > 0 && (
        <p className="quiet">
          You need {countCredits(missing)} more. Ask your administrator for credits.
        </p>
      )}
      {error && (
        <Note
          tone="failure"
          title={isRefusal(error) ? 'The screen was not started' : 'No response from the server'}
        >
          {messageOf(
            error,
            'The server did not respond. Try again: you will not be charged twice.',
          )}
        </Note>
      )}
    </Stack>
  )
}

/** The server refused the order. After any other error the screen may have started, so a retry sends the same key. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}
