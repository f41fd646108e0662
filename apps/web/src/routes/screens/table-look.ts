/** How the table of a screen looks: its filters and order from the URL, and its columns. */
import type { Screen } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { measurementsQuery } from '#web/features/measurements/measurement-queries.ts'
import { useChosenColumns } from '#web/features/screens/column-choice.tsx'
import { propertyColumns } from '#web/features/screens/property-columns.tsx'
import { readResultsParams } from '#web/features/screens/results-params.ts'
import { compoundColumns, pairColumns } from '#web/features/screens/table-columns.tsx'
import { useAffinityUnit } from '#web/lib/affinity-unit.ts'

export function useTableLook(screen: Screen) {
  const params = readResultsParams(useSearchParams()[0])
  const by = screen.targets.length > 1 ? (params.by ?? 'compound') : 'pair'
  const columns = useColumns(screen, { by, hasProfile: params.profile !== undefined })
  return { params, by, columns } as const
}

function useColumns(
  { targets, structure_status: status }: Screen,
  { by, hasProfile }: { by: 'pair' | 'compound'; hasProfile: boolean },
) {
  const hasStructure = status !== null
  const unit = useAffinityUnit()
  const measured = useQuery(measurementsQuery('', 1)).data?.targets
  const columns = useMemo(() => {
    const names = new Set(measured?.map(({ name }) => name))
    const look = { unit, measured: names, hasStructure }
    const ofPairs = by === 'pair' ? pairColumns(targets, look) : compoundColumns(targets, look)
    return [...ofPairs, ...propertyColumns(hasProfile)]
  }, [targets, by, unit, measured, hasStructure, hasProfile])
  return useChosenColumns(columns)
}
