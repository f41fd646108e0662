/** Predicts gaps and new molecules of a series, and shows them in all its views. */
import type { ScreenTarget } from '@pkdex/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRefreshCredits } from '#web/features/credits/credits-counter.tsx'
import { predictFollowUp } from '#web/features/series/series-queries.ts'
import { readAgain } from '#web/lib/read-again.ts'

/** Whatever was predicted, also if the request failed halfway, is shown in every view of the series. */
export function usePredictFollowUp(screenId: string, target: ScreenTarget) {
  const client = useQueryClient()
  const refreshCredits = useRefreshCredits()
  return useMutation({
    mutationFn: (smiles: string[]) => predictFollowUp({ screenId, smiles, target }),
    onSettled: async () => {
      refreshCredits()
      void readAgain(client, { queryKey: ['screens'] })
      await Promise.all([
        readAgain(client, { queryKey: ['series', 'follow-ups', screenId] }),
        readAgain(client, { queryKey: ['series', 'next'] }),
      ])
    },
  })
}
