/** Puts a changed target into the list that every screen reads, without asking the server for all of it again. */
import type { Target } from '@pkdex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { targetListQuery } from './target-list-query.ts'

export function useUpdateTarget(): (target: Target) => void {
  const client = useQueryClient()
  return (target) => {
    const update = (old: Target) => (old.name === target.name ? target : old)
    client.setQueryData(
      targetListQuery().queryKey,
      (list) => list && { ...list, targets: list.targets.map(update) },
    )
  }
}
