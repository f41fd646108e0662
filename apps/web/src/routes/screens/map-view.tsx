/** The heat map of a screen. */
import type { Screen } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useDrawSmiles } from '#web/features/previews/structure.tsx'
import { HeatMap } from '#web/features/screens/heat-map.tsx'
import { type GridDetails, pkdAt, type ScreenGrid } from '#web/features/screens/screen-matrix.ts'
import { detailsQuery } from '#web/features/screens/screen-queries.ts'
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
  return (
    <HeatMap
      grid={grid}
      details={details}
      drawSmiles={useDrawSmiles(grid.sample)}
      starCompound={useStarCompound(false)}
      onOpen={(row, column) => onOpen(pairAt({ screen, grid, details }, row, column))}
    />
  )
}

type Shown = { screen: Screen; grid: ScreenGrid; details: GridDetails | undefined }

function pairAt({ screen, grid, details }: Shown, row: number, column: number): OpenPair | null {
  const [compound, target] = [grid.compounds[row], grid.targets[column]]
  if (compound === undefined || target === undefined) return null
  const pkd = pkdAt(grid, row * grid.targets.length + column)
  const place = { screen: screen.id, row: row + 1, column: column + 1 }
  const molecule = { compound, smiles: details?.smiles[row] ?? null }
  return { ...place, ...molecule, target: target.name, chain: target.chain, pkd, reason: null }
}
