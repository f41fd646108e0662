/** The form for a reference ligand of the first chosen target that has none: without one, no compound can be placed. */
import { readReferences, type ScreenRequest } from '@pkdex/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { OwnLigand } from '#web/features/evidence/own-ligand.tsx'
import { call } from '#web/lib/api.ts'

type Targets = ScreenRequest['targets']

/** Asks target by target, so that a screen of many sends one request at a time. */
function missingQuery(targets: Targets) {
  return queryOptions({
    queryKey: ['missing ligand', targets],
    queryFn: async ({ signal }) => {
      for (const one of targets) {
        const { name, chain } = typeof one === 'string' ? { name: one } : one
        const query = { target: name, ...(chain !== undefined && { chain }) }
        const found = await call(readReferences, { query, signal })
        if (found.references.length === 0) return { target: found.target, chain: found.chain }
      }
      return null
    },
    staleTime: 0,
    retry: false,
  })
}

/** Shown after the quote of a screen with structure was refused. */
export function MissingLigand({ targets }: { targets: Targets }) {
  const missing = useQuery(missingQuery(targets)).data ?? null
  const client = useQueryClient()
  if (missing === null) return null
  const { target, chain } = missing
  return (
    <fieldset>
      <legend>{`Ligand of ${target}, chain ${chain}`}</legend>
      <OwnLigand
        key={`${target} ${chain}`}
        {...missing}
        hasOwn={false}
        isOpen
        onChange={() => {
          void client.invalidateQueries({ queryKey: ['missing ligand'] })
          void client.invalidateQueries({ queryKey: ['screen quote'] })
        }}
      />
    </fieldset>
  )
}
