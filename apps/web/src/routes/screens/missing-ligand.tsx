/** Asks for a reference ligand of the first selected target without one, which placing compounds needs. */
import { readReferences, type ScreenRequest } from '@pkdex/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { OwnLigand } from '#web/features/evidence/own-ligand.tsx'
import { call } from '#web/lib/api.ts'

type Targets = ScreenRequest['targets']

/** One target after the other, so that a screen of many targets sends one request at a time. */
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

/** Shown if the quote of a screen with poses was refused. */
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
