/** The user's lists of targets and compounds, and the details of each item. */
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

/** The details of one target, requested when it is selected: the list contains only names. */
export function targetQuery(name: string | null) {
  return queryOptions({
    queryKey: ['target', name],
    queryFn:
      name === null ? skipToken : ({ signal }) => call(readTarget, { params: { name }, signal }),
    // If this fails, the page shows the name alone.
    retry: false,
  })
}

/** The details of one compound. */
export function compoundQuery(name: string | null) {
  return queryOptions({
    queryKey: ['compound', name],
    queryFn:
      name === null ? skipToken : ({ signal }) => call(readCompound, { params: { name }, signal }),
    retry: false,
  })
}

/** Updates a changed target in the cache, also in the list, without another request. */
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
/** Pictures are requested by name, and a name may be given to another item. */
const DRAWN = ['structure', 'picture'] as const

/** Reloads everything that names a file or was read from one. */
export function useRefreshFiles(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of [...NAMED, ...DRAWN]) void readAgain(client, { queryKey: [key] })
  }
}
