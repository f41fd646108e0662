/** What can be done with the compounds that are ticked in a view of a series. */
import {
  type Screen,
  type ScreenRow,
  type ScreenTarget,
  SERIES_COMPOUNDS_MIN,
} from '@pkdex/contract'
import { useContext } from 'react'
import { Link } from 'react-router'
import { NewScreenOf } from '#web/features/files/new-screen-of.tsx'
import { StarAll, useShortlist } from '#web/features/files/shortlist.tsx'
import { drawForCopy } from '#web/features/previews/structure.tsx'
import { keyOfRow, tableOf } from '#web/features/screens/selection.ts'
import { seriesOf } from '#web/features/screens/screen-words.tsx'
import { SelectionBar } from '#web/features/selection/selection-bar.tsx'
import type { Ticked } from '#web/features/selection/use-ticked.ts'
import { AddToMakeList } from '#web/features/series/add-to-make-list.tsx'
import { predictedOf } from '#web/features/series/cells.ts'
import { listedNumber } from '#web/features/series/make-list.ts'
import { DrawingContext } from '#web/features/series/series-side.tsx'
import { Button } from '#web/ui/button.ts'

type Props = { screen: Screen; target: ScreenTarget; ticked: Ticked<ScreenRow> }

export const keyOfCompound = (row: ScreenRow) => keyOfRow([row])

export function SeriesSelection({ screen, target, ticked }: Props) {
  const shortlist = useShortlist()
  const rows = [...ticked.rows.values()]
  const known = rows.map(({ compound }) => compound).filter((name) => shortlist.has(name))
  const selection = new Map(rows.map((row) => [keyOfCompound(row), [row]] as const))
  const options = { targets: [target], properties: [], draw: drawForCopy }
  return (
    <SelectionBar
      count={rows.length}
      table={() => tableOf(selection, options)}
      draw={useContext(DrawingContext)}
      onClear={ticked.clear}
    >
      <StarAll shortlist={shortlist} names={known} />
      <NewScreenOf targets={[target.name]} compounds={known} />
      {rows.length >= SERIES_COMPOUNDS_MIN && (
        <Button
          component={Link}
          variant="subtle"
          to={`${seriesOf(screen)}?compounds=${rows.map(({ row }) => row).join('-')}`}
        >
          Open as series
        </Button>
      )}
      <AddToMakeList
        targets={[target.name]}
        moleculesOn={() => ({
          smiles: rows.map(({ smiles }) => smiles),
          added_with: rows.map((row) => listedNumber(predictedOf(row))),
        })}
      />
    </SelectionBar>
  )
}
