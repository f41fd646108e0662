/** A matrix of R-groups: measured, predicted and missing compounds. Arrow keys, Home and End move, Space adds to the make list. */
import { Box, Stack } from '#web/ui/layout.ts'
import type { SeriesGroup, SeriesTable } from '@pkdex/contract'
import { UnstyledButton } from '#web/ui/button.ts'
import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import { type CellView, describeCell, isWide, placeKey, rangeOf, wordRange } from './cells.ts'
import classes from './sar-table.module.css'

type Props = {
  table: SeriesTable
  cells: ReadonlyMap<string, CellView>
  selected: string | null
  listed: ReadonlySet<string>
  onSelect: (cell: CellView) => void
  onList: (cell: CellView) => void
  /** Whether all compounds of the cell are ticked. */
  isTicked: (cell: CellView) => boolean
  onTick: (cell: CellView) => void
}

/** A side without positions has a single row or column. */
const ONE_PLACE: (SeriesGroup | null)[] = [null]

export function SarTable({ table, ...grid }: Props) {
  const rows = table.rows?.groups ?? ONE_PLACE
  const columns = table.columns?.groups ?? ONE_PLACE
  const [focused, setFocused] = useState('0 0')
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label="SAR table">
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              {table.rows?.label}
            </th>
            {columns.map((group, column) => (
              <th key={group?.smiles ?? column} scope="col">
                <Group group={group} label={table.columns?.label} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((group, row) => (
            <tr key={group?.smiles ?? row}>
              <th scope="row">
                <Group group={group} label={table.rows?.label} />
              </th>
              {columns.map((_, column) => (
                <td key={placeKey(row, column)}>
                  <Place
                    {...grid}
                    place={placeKey(row, column)}
                    focused={focused}
                    onFocus={setFocused}
                    size={{ rows: rows.length, columns: columns.length }}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type PlaceProps = Omit<Props, 'table'> & {
  place: string
  focused: string
  onFocus: (place: string) => void
  size: { rows: number; columns: number }
}

/** One cell of the table; arrow keys move to its neighbours. */
function Place({ cells, place, focused, onFocus, size, ...props }: PlaceProps) {
  const cell = cells.get(place)
  if (cell === undefined) return <span className={classes.none} />
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const next = neighbourOf(place, event.key, { ...size, cells })
    if (next === null) return
    event.preventDefault()
    const table = event.currentTarget.closest('table')
    table?.querySelector<HTMLElement>(`[data-place="${next}"]`)?.focus()
  }
  const isFocusable = place === focused || !cells.has(focused)
  return (
    <span className={classes.place}>
      <Cell
        cell={cell}
        place={place}
        isFocusable={isFocusable}
        isSelected={place === props.selected}
        isListed={props.listed.has(cell.smiles)}
        onFocus={() => onFocus(place)}
        onSelect={() => props.onSelect(cell)}
        onList={() => props.onList(cell)}
        onMove={move}
      />
      {cell.members.length > 0 && (
        <label className={classes.tick}>
          <input
            type="checkbox"
            aria-label={`Select ${cell.members.map(({ name }) => name).join(', ')}`}
            tabIndex={isFocusable ? 0 : -1}
            checked={props.isTicked(cell)}
            onChange={() => props.onTick(cell)}
          />
        </label>
      )}
    </span>
  )
}

const STEPS: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, 1],
  End: [0, -1],
}

/** Empty cells are skipped; Home and End move to the ends of the row. */
function neighbourOf(
  place: string,
  key: string,
  { rows, columns, cells }: PlaceProps['size'] & Pick<Props, 'cells'>,
): string | null {
  const step = STEPS[key]
  if (step === undefined) return null
  let [row = 0, column = 0] = place.split(' ').map(Number)
  if (key === 'Home') column = -1
  if (key === 'End') column = columns
  const isInside = () => row >= 0 && row < rows && column >= 0 && column < columns
  do {
    row += step[0]
    column += step[1]
  } while (isInside() && !cells.has(placeKey(row, column)))
  return isInside() ? placeKey(row, column) : null
}

/** A drawn group, or its SMILES if it cannot be drawn. */
function Group({ group, label }: { group: SeriesGroup | null; label: string | undefined }) {
  if (group === null) return <span className="visually-hidden">{label ?? 'Compound'}</span>
  const name = group.smiles.replaceAll(/\[\*:\d+\]/g, '–')
  if (group.smiles.startsWith('[H]')) {
    return (
      <Box component="span" fz="lg">
        H
      </Box>
    )
  }
  if (group.svg === null) return <span className={classes.smiles}>{name}</span>
  return <img className={classes.group} src={addressOf(group.svg)} alt={name} title={name} />
}

export function addressOf(svg: string): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`
}

type CellProps = {
  cell: CellView
  place: string
  isFocusable: boolean
  isSelected: boolean
  isListed: boolean
  onFocus: () => void
  onSelect: () => void
  onList: () => void
  onMove: (event: KeyboardEvent<HTMLElement>) => void
}

function Cell({ cell, place, isFocusable, isSelected, isListed, ...on }: CellProps) {
  const { kind, value, interval, members, range } = cell
  const style = value === null ? {} : ({ '--heat': colourOf(value) } as CSSProperties)
  return (
    <UnstyledButton
      className={classes.cell}
      style={style}
      data-place={place}
      data-kind={kind}
      data-bound={cell.bound ?? undefined}
      data-wide={isWide(cell) || undefined}
      data-heat={value === null ? undefined : heatOf(value)}
      aria-pressed={isSelected}
      tabIndex={isFocusable ? 0 : -1}
      onFocus={on.onFocus}
      onClick={on.onSelect}
      onDoubleClick={on.onList}
      onKeyDown={(event) => {
        on.onMove(event)
        if (event.key !== ' ') return
        event.preventDefault()
        on.onList()
      }}
    >
      <span className="visually-hidden">
        {`${describeCell(cell)}${isListed ? ', on the make list' : ''}`}
      </span>
      <Stack
        component="span"
        aria-hidden="true"
        align="center"
        gap={0}
        pl={kind === 'measured' ? 'sm' : 0}
      >
        {isListed && <i className={classes.listed} />}
        <b>{wordRange(cell)}</b>
        {interval !== null && range === null && <small>{rangeOf(interval)}</small>}
        {members.length > 1 && <small>n = {members.length}</small>}
      </Stack>
    </UnstyledButton>
  )
}

/** The colour scale of heat maps: pKd 4 to 10 in nine steps. */
const SCALE = { from: 4, to: 10, steps: 9 }

/** Selects the text colour that is readable on the colour of a value, see the style sheet. */
function heatOf(value: number): 'low' | 'middle' | 'high' {
  const step = stepOf(value)
  if (step <= 3) return 'low'
  return step <= 5 ? 'middle' : 'high'
}

function stepOf(value: number): number {
  const part = (value - SCALE.from) / (SCALE.to - SCALE.from)
  return Math.min(SCALE.steps - 1, Math.max(0, Math.round(part * (SCALE.steps - 1))))
}

function colourOf(value: number): string {
  return `var(--heat-${stepOf(value)})`
}
