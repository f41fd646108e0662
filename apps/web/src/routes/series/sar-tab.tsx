/** The tab of a series with its SAR table, its settings, and the make list. */
import { Box, ColumnGrid } from '#web/ui/layout.ts'
import {
  type Screen,
  type ScreenRow,
  type ScreenTarget,
  SERIES_COMPOUNDS_MIN,
  type SeriesTable,
} from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { type CellView, numberInRows, placeKey, viewCells } from '#web/features/series/cells.ts'
import { Computation } from '#web/features/series/computing.tsx'
import { useLists } from '#web/features/series/make-list.ts'
import { SarTable } from '#web/features/series/sar-table.tsx'
import {
  type MeasuredValues,
  followUpsQuery,
  measuredQuery,
  type SeriesChoice,
  seriesTableQuery,
} from '#web/features/series/series-queries.ts'
import { MakeList, SelectedCell } from '#web/features/series/series-side.tsx'
import { useTicked } from '#web/features/selection/use-ticked.ts'
import { Note } from '#web/ui/note.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import classes from './series-page.module.css'
import { keyOfCompound, SeriesSelection } from './series-selection.tsx'
import { usePredictFollowUp } from './use-follow-up.ts'
import { LeftOut, Tools } from './series-tools.tsx'

type SarTabProps = {
  screen: Screen
  target: ScreenTarget
  chosen: Omit<SeriesChoice, 'theme'>
  rows: ScreenRow[] | undefined
  change: (changes: Record<string, string | null>) => void
}

export function SarTab({ screen, target, chosen, rows, change }: SarTabProps) {
  const theme = useColorScheme()
  const hasTooFew = rows !== undefined && rows.length < SERIES_COMPOUNDS_MIN
  const choice = { ...chosen, theme, isOfMany: screen.target_count > 1 }
  const options = seriesTableQuery(screen.id, hasTooFew ? undefined : rows, choice)
  const table = useQuery(options)
  if (hasTooFew) {
    return (
      <Note tone="info" action={<Link to="/screens/new">New screen</Link>}>
        Add at least three compounds with a common core.
      </Note>
    )
  }
  return (
    <>
      <Computation
        query={table}
        queryKey={options.queryKey}
        what="the SAR table"
        isReady={rows !== undefined}
      />
      {table.data && rows && (
        <Table
          key={`${target.name} ${target.chain}`}
          {...{ screen, target, table: table.data, change, rows }}
          isStale={table.isPlaceholderData}
          hasChosenCore={chosen.core !== undefined}
        />
      )}
    </>
  )
}

type TableProps = Pick<SarTabProps, 'screen' | 'target' | 'change'> & {
  table: SeriesTable
  rows: ScreenRow[]
  isStale: boolean
  hasChosenCore: boolean
}

const NO_VALUES: MeasuredValues = new Map()

const rowsIn = ({ members }: CellView): ScreenRow[] => members.map(({ source }) => source)

function Table({ screen, target, table, change, rows, isStale, hasChosenCore }: TableProps) {
  const measured = useQuery(measuredQuery(target.name)).data ?? NO_VALUES
  const followed = useQuery(followUpsQuery(screen.id, target)).data?.rows
  const cells = useMemo(
    () => viewCells({ table, rows, measured, gapRows: followed ?? [] }),
    [table, rows, measured, followed],
  )
  const [selected, setSelected] = useState<string | null>(null)
  const predict = usePredictFollowUp(screen.id, target)
  const ticked = useTicked(keyOfCompound)
  const isTicked = (of: CellView) => rowsIn(of).every((row) => ticked.rows.has(keyOfCompound(row)))
  const { make: list, added_with, isKnown, ...lists } = useLists(target.name)
  const { toggle: toggleListed, failure } = lists
  const numberOf = (smiles: string) =>
    [...cells.values()].find((one) => one.smiles === smiles) ??
    numberInRows([...rows, ...(followed ?? [])], smiles)
  const toggle = (smiles: string) => toggleListed('make', smiles, numberOf(smiles))
  const cell = selected === null ? undefined : cells.get(selected)
  return (
    <ColumnGrid template="minmax(0, 1fr) 288px" below={900} aria-busy={isStale}>
      <Box component="section" className="sheet" aria-label="Table" miw={0} p="md">
        <Tools {...{ table, cells, predict, change }} count={rows.length} />
        {table.core === null ? (
          <Note tone="info">
            {hasChosenCore
              ? 'No compound has this core. Edit it, or select another one.'
              : 'No common core. Draw one, or screen fewer compounds.'}
          </Note>
        ) : (
          <SarTable
            table={table}
            cells={cells}
            selected={selected}
            listed={new Set(list)}
            onSelect={({ row, column }) => setSelected(placeKey(row, column))}
            onList={({ smiles }) => toggle(smiles)}
            isTicked={isTicked}
            onTick={(of) => {
              if (isTicked(of)) for (const row of rowsIn(of)) ticked.tick(row)
              else ticked.tickAll(rowsIn(of))
            }}
          />
        )}
        <LeftOut names={table.left_out.flatMap((place) => rows[place]?.compound ?? [])} />
        <SeriesSelection {...{ screen, target, ticked }} />
      </Box>
      <div className={`stack ${classes.side}`}>
        {cell && (
          <SelectedCell
            cell={cell}
            isListed={list.includes(cell.smiles)}
            onList={() => toggle(cell.smiles)}
            onPredict={() => predict.mutate([cell.smiles])}
            isPredicting={predict.isPending}
          />
        )}
        <MakeList
          list={list}
          addedWith={added_with}
          isKnown={isKnown}
          name={lists.name}
          tags={lists.make_tags}
          rename={lists.rename}
          cellOf={numberOf}
          onRemove={toggle}
        />
        {failure !== null && <Note tone="failure">{failure}</Note>}
      </div>
    </ColumnGrid>
  )
}
