/** What can be done with the ticked rows of a screen. */
import { type RowProperty, rowProperties, type Screen, SERIES_COMPOUNDS_MIN } from '@pkdex/contract'
import { Link } from 'react-router'
import { NewScreenOf } from '#web/features/files/new-screen-of.tsx'
import { StarAll, useShortlist } from '#web/features/files/shortlist.tsx'
import { drawForCopy, useDrawSmiles } from '#web/features/previews/structure.tsx'
import { compoundsOf, tableOf } from '#web/features/screens/selection.ts'
import type { Column, Pairs } from '#web/features/screens/table-columns.tsx'
import { SelectionBar } from '#web/features/selection/selection-bar.tsx'
import type { Ticked } from '#web/features/selection/use-ticked.ts'
import { AddToMakeList } from '#web/features/series/add-to-make-list.tsx'
import { predictedOf } from '#web/features/series/cells.ts'
import { listedNumber } from '#web/features/series/make-list.ts'
import { seriesOf } from '#web/features/screens/screen-words.tsx'
import { Button } from '#web/ui/button.ts'

type Props = { screen: Screen; ticked: Ticked<Pairs>; columns: Column[] }

const NONE: string[] = []

export function ScreenSelection({ screen, ticked: { rows, clear }, columns }: Props) {
  const shortlist = useShortlist()
  const draw = useDrawSmiles(NONE)
  const compounds = compoundsOf(rows)
  const targets = [...new Set(screen.targets.map(({ name }) => name))]
  const known = compounds.map(([{ compound }]) => compound).filter((name) => shortlist.has(name))
  const table = { targets: screen.targets, properties: propertiesOf(columns), draw: drawForCopy }
  const places = compounds.map(([{ row }]) => row)
  return (
    <SelectionBar
      count={compounds.length}
      table={() => tableOf(rows, table)}
      draw={draw}
      onClear={clear}
    >
      <StarAll shortlist={shortlist} names={known} />
      <NewScreenOf targets={targets} compounds={known} />
      {/* The series of a follow-up is that of its screen, which has other rows. */}
      {screen.follow_up_of === null && places.length >= SERIES_COMPOUNDS_MIN && (
        <Button
          component={Link}
          variant="subtle"
          to={`${seriesOf(screen)}?compounds=${places.join('-')}`}
        >
          Open as series
        </Button>
      )}
      {shortlist.failure !== null && <output className="small">{shortlist.failure}</output>}
      <AddToMakeList targets={targets} moleculesOn={(target) => listing(target, compounds)} />
    </SelectionBar>
  )
}

function propertiesOf(columns: Column[]): RowProperty[] {
  return columns.flatMap(({ id }) => rowProperties.find((name) => id === `property ${name}`) ?? [])
}

function listing(target: string, compounds: Pairs[]) {
  const added_with = compounds.map((pairs) => {
    const row = pairs.find((pair) => pair.target === target)
    return listedNumber(row && predictedOf(row))
  })
  return { smiles: compounds.map(([row]) => row.smiles), added_with }
}
