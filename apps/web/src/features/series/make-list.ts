/** The lists stored for a target: molecules to make, and molecules not to suggest again. */
import {
  changeListedMolecules,
  type ListedMolecules,
  type ListedNumber,
  type MoleculeList,
  readListedMolecules,
  renameMakeList,
} from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, messageOf } from '#web/lib/api.ts'
import { useViewing } from '#web/lib/viewing.tsx'
import { readAgain } from '#web/lib/read-again.ts'
import type { Number95 } from './cells.ts'

const NONE: ListedMolecules = {
  make_name: null,
  make_tags: [],
  make: [],
  added_with: [],
  excluded: [],
}

export function listsQuery(target: string) {
  return queryOptions({
    queryKey: ['series', 'lists', target],
    queryFn: ({ signal }) => call(readListedMolecules, { query: { target }, signal }),
    retry: false,
  })
}

type Change = {
  list: MoleculeList
  smiles: string[]
  listed: boolean
  /** Of each molecule, kept with it. */
  added_with?: (ListedNumber | null)[]
}

export type Lists = ListedMolecules & {
  /** Whether the lists were loaded. */
  isKnown: boolean
  /** `number`: what the molecule is predicted at now. */
  toggle: (list: MoleculeList, smiles: string, number?: Number95) => void
  clear: (list: MoleculeList) => void
  /** Of the make list: suggested, unless the user named it. */
  name: string
  rename: (changed: { make_name?: string; make_tags: string[] }) => Promise<void>
  /** Why the last change was not saved. */
  failure: string | null
}

/** SMILES in the order in which they were added; adding one again removes it. */
export function useLists(target: string): Lists {
  const client = useQueryClient()
  const viewing = useViewing()
  const { queryKey } = listsQuery(target)
  const { data } = useQuery(listsQuery(target))
  const lists = data ?? NONE
  const { mutate, error } = useMutation({
    mutationFn: (change: Change) =>
      call(changeListedMolecules, {
        body: { target, ...change, smiles: [...change.smiles] },
        // One molecule is saved even if the page is left at once; browsers refuse long bodies.
        keepalive: change.smiles.length === 1,
      }),
    // The mark changes immediately; a refused change is undone.
    onMutate: (change) =>
      client.setQueryData(queryKey, (known) => known && changeLists(known, change)),
    onError: () => void readAgain(client, { queryKey }),
    onSettled: (_answer, _error, { list }) => {
      if (data === undefined) void readAgain(client, { queryKey })
      if (list === 'excluded') void readAgain(client, { queryKey: ['series', 'next'] })
    },
  })
  return {
    ...lists,
    isKnown: data !== undefined,
    toggle: (list, smiles, number) =>
      viewing === null &&
      mutate({
        list,
        smiles: [smiles],
        listed: !lists[list].includes(smiles),
        added_with: [listedNumber(number)],
      }),
    name: lists.make_name ?? `Make list ${target}`,
    rename: async (changed) => {
      const renamed = await call(renameMakeList, { body: { target, ...changed } })
      client.setQueryData(queryKey, renamed)
    },
    clear: (list) => mutate({ list, smiles: lists[list], listed: false }),
    failure: error && messageOf(error, 'The list could not be changed.'),
  }
}

function changeLists(known: ListedMolecules, { list, smiles, listed, ...change }: Change) {
  const isOther = (one: string) => !smiles.includes(one)
  const others = known[list].filter(isOther)
  const molecules = listed ? [...others, ...smiles] : others
  if (list !== 'make') return { ...known, [list]: molecules }
  const kept = known.added_with.filter((_, at) => isOther(known.make[at] ?? ''))
  const added = smiles.map((_, at) => change.added_with?.[at] ?? null)
  return { ...known, make: molecules, added_with: listed ? [...kept, ...added] : kept }
}

/** Null without a prediction. */
export function listedNumber(number: Number95 | undefined): ListedNumber | null {
  if (number?.value == null || number.interval === null) return null
  return { predicted_kd: number.value, ...number.interval }
}
