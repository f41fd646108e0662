/** The lists stored for a target: molecules to make, and molecules not to suggest again. */
import {
  changeListedMolecules,
  type ListedMolecules,
  type MoleculeList,
  readListedMolecules,
} from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, messageOf } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'

const NONE: ListedMolecules = { make: [], added_with: [], excluded: [] }

export function listsQuery(target: string) {
  return queryOptions({
    queryKey: ['series', 'lists', target],
    queryFn: ({ signal }) => call(readListedMolecules, { query: { target }, signal }),
    retry: false,
  })
}

type Change = { list: MoleculeList; smiles: string[]; listed: boolean }

export type Lists = ListedMolecules & {
  /** Whether the lists were loaded. */
  isKnown: boolean
  toggle: (list: MoleculeList, smiles: string) => void
  clear: (list: MoleculeList) => void
  /** Why the last change was not saved. */
  failure: string | null
}

/** SMILES in the order in which they were added; adding one again removes it. */
export function useLists(target: string): Lists {
  const client = useQueryClient()
  const { queryKey } = listsQuery(target)
  const { data } = useQuery(listsQuery(target))
  const lists = data ?? NONE
  const { mutate, error } = useMutation({
    mutationFn: (change: Change) =>
      call(changeListedMolecules, { body: { target, ...change, smiles: [...change.smiles] } }),
    // The mark changes immediately; a refused change is undone.
    onMutate: ({ list, smiles, listed }) =>
      client.setQueryData(queryKey, (known) => {
        if (known === undefined) return undefined
        const others = known[list].filter((one) => !smiles.includes(one))
        return { ...known, [list]: listed ? [...others, ...smiles] : others }
      }),
    onError: () => void readAgain(client, { queryKey }),
    onSettled: (_answer, _error, { list }) => {
      if (data === undefined) void readAgain(client, { queryKey })
      if (list === 'excluded') void readAgain(client, { queryKey: ['series', 'next'] })
    },
  })
  return {
    ...lists,
    isKnown: data !== undefined,
    toggle: (list, smiles) =>
      mutate({ list, smiles: [smiles], listed: !lists[list].includes(smiles) }),
    clear: (list) => mutate({ list, smiles: lists[list], listed: false }),
    failure: error && messageOf(error, 'The list could not be changed.'),
  }
}
