/** The heat map of a screen, of its predictions or its structure-adjusted values. */
import type { Screen } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useDrawSmiles } from '#web/features/previews/structure.tsx'
import { HeatMap } from '#web/features/screens/heat-map.tsx'
import { readResultsParams, withResultsParams } from '#web/features/screens/results-params.ts'
import {
  type GridDetails,
  pkdAt,
  type ScreenGrid,
  withAdjusted,
} from '#web/features/screens/screen-matrix.ts'
import { detailsQuery, hasPoses } from '#web/features/screens/screen-queries.ts'
import { ADJUSTED, ValueChoice } from '#web/features/screens/value-choice.tsx'
import type { OpenPair } from './pair-dialog.tsx'
import { useStarCompound } from './table-view.tsx'

type Props = {
  screen: Screen
  isRunning: boolean
  grid: ScreenGrid
  onOpen: (pair: OpenPair | null) => void
}

export function MapView({ screen, isRunning, grid, onOpen }: Props) {
  const { data: details } = useQuery(detailsQuery(screen.id, isRunning))
  const [search, setSearch] = useSearchParams()
  const canAdjust = hasPoses(screen) && details !== undefined && details.adjusted.length > 0
  const isAdjusted = canAdjust && readResultsParams(search).values === 'adjusted'
  const shown = useMemo(
    () => (isAdjusted && details !== undefined ? withAdjusted(details) : details),
    [isAdjusted, details],
  )
  return (
    <HeatMap
      grid={isAdjusted && shown !== undefined ? shown.grid : grid}
      details={shown}
      valueName={isAdjusted ? ADJUSTED : undefined}
      choice={
        canAdjust && (
          <ValueChoice
            isAdjusted={isAdjusted}
            onChange={(values) => setSearch((now) => withResultsParams(now, { values }), REPLACED)}
          />
        )
      }
      drawSmiles={useDrawSmiles(grid.sample)}
      starCompound={useStarCompound(false)}
      onOpen={(row, column) => {
        const pair = pairAt({ screen, grid, details }, row, column)
        const place = row * grid.targets.length + column
        const clicked = isAdjusted && shown ? (pkdAt(shown.grid, place) ?? undefined) : undefined
        onOpen(pair && { ...pair, clicked })
      }}
    />
  )
}

const REPLACED = { replace: true, preventScrollReset: true }

type Shown = { screen: Screen; grid: ScreenGrid; details: GridDetails | undefined }

function pairAt({ screen, grid, details }: Shown, row: number, column: number): OpenPair | null {
  const [compound, target] = [grid.compounds[row], grid.targets[column]]
  if (compound === undefined || target === undefined) return null
  const pkd = pkdAt(grid, row * grid.targets.length + column)
  const place = { screen: screen.id, row: row + 1, column: column + 1 }
  const molecule = { compound, smiles: details?.smiles[row] ?? null }
  return { ...place, ...molecule, target: target.name, chain: target.chain, pkd, reason: null }
}
