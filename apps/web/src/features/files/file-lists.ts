/** The user's targets and compounds, in the order of the lists, and what was read of each. */
import { listCompounds, listTargets, readCompound, readTarget, type Target } from '@pkdex/contract'
import { queryOptions, skipToken, useQueryClient } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'
import { readAgain } from '#web/lib/read-again.ts'

export function targetListQuery() {
  return queryOptions({
    queryKey: ['targets'],
    queryFn: ({ signal }) => call(listTargets, { signal }),
    // The page shows the failure immediately and offers a retry.
    retry: false,
  })
}

export function compoundListQuery() {
  return queryOptions({
    queryKey: ['compounds'],
    queryFn: ({ signal }) => call(listCompounds, { signal }),
    // The page shows the failure immediately and offers a retry.
    retry: false,
  })
}

/** What was read of one target; requested when it is selected, since the list contains only names. */
export function targetQuery(name: string | null) {
  return queryOptions({
    queryKey: ['target', name],
    queryFn:
      name === null ? skipToken : ({ signal }) => call(readTarget, { params: { name }, signal }),
    // Without it the screen shows the name alone, as for a target that nothing was read of.
    retry: false,
  })
}

/** The same of one compound. */
export function compoundQuery(name: string | null) {
  return queryOptions({
    queryKey: ['compound', name],
    queryFn:
      name === null ? skipToken : ({ signal }) => call(readCompound, { params: { name }, signal }),
    retry: false,
  })
}

/** Puts a changed target, and its place in the list, where every screen reads them, without asking the server again. */
export function useUpdateTarget(): (target: Target) => void {
  const client = useQueryClient()
  return (target) => {
    client.setQueryData(targetQuery(target.name).queryKey, target)
    client.setQueryData(targetListQuery().queryKey, (list) => {
      if (list === undefined) return undefined
      const place = list.protein_names.indexOf(target.name)
      const update = (old: number, index: number) => (index === place ? target.residues : old)
      return { ...list, residues: list.residues.map(update) }
    })
  }
}

const NAMED = ['files', 'targets', 'compounds', 'target', 'compound', 'known'] as const
/** Pictures are asked for by name, and a name can pass to something else. */
const DRAWN = ['structure', 'picture'] as const

/** Everything that names a file, or what was read from one, is read again. */
export function useRefreshFiles(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of [...NAMED, ...DRAWN]) void readAgain(client, { queryKey: [key] })
  }
}
