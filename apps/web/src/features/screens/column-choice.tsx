/** Selects and orders the columns of the results; stored in this browser. */
import { Box } from '#web/ui/layout.ts'
import { useMemo } from 'react'
import { createStore } from '#web/lib/store.ts'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { Checkbox } from '#web/ui/field.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { ToolIcon } from '#web/ui/tool-icon.tsx'
import classes from './column-choice.module.css'
import type { Column } from './table-columns.tsx'

type Choice = {
  /** Ids of the moved columns, and of those around them. */
  order: string[]
  /** By id: whether the column is shown, if the user has clicked its checkbox. */
  shown: Record<string, boolean>
}

const KEPT_AS = 'screen-columns'
const nothingChosen: Choice = { order: [], shown: {} }
const store = createStore<Choice>(readKept())

/** Columns of more targets are hidden until they are selected. */
const TARGETS_SHOWN = 12

/** All columns in the user's order, and those that are shown. */
export function useChosenColumns(columns: Column[]) {
  const choice = store.useValue()
  return useMemo(() => {
    const ordered = inOrder(columns, choice.order)
    return { ordered, shown: ordered.filter((column) => isShown(column, choice)) }
  }, [columns, choice])
}

/** `columns` in their current order. */
export function ColumnChoice({ columns }: { columns: Column[] }) {
  const choice = store.useValue()
  return (
    <Popover label="Columns" side="right">
      <Box component="ul" className={classes.list} mb="xs">
        {columns.map((column, at) => (
          <li key={column.id}>
            <Checkbox
              isChecked={isShown(column, choice)}
              onChange={(isOn) =>
                keep({ ...choice, shown: { ...choice.shown, [column.id]: isOn } })
              }
            >
              {column.label}
            </Checkbox>
            {[-1, 1].map((step) => (
              <UnstyledButton
                key={step}
                className={classes.move}
                aria-label={`Move ${column.label} ${step < 0 ? 'left' : 'right'}`}
                disabled={columns[at + step] === undefined}
                onClick={() => keep({ ...choice, order: moved(columns, at, at + step) })}
              >
                <ToolIcon name={step < 0 ? 'ascending' : 'descending'} size={14} />
              </UnstyledButton>
            ))}
          </li>
        ))}
      </Box>
      <Button variant="subtle" onClick={() => keep(nothingChosen)}>
        Reset
      </Button>
    </Popover>
  )
}

function isShown({ id, pair, isHidden = false }: Column, { shown }: Choice): boolean {
  return shown[id] ?? (!isHidden && (pair === undefined || pair < TARGETS_SHOWN))
}

/** Columns that were never moved stay after the column that precedes them by default. */
function inOrder(columns: Column[], order: string[]): Column[] {
  const places = new Map(order.map((id, place) => [id, place]))
  let last = -1
  const keyed = columns.map((column) => {
    last = places.get(column.id) ?? last
    return { column, key: last }
  })
  return keyed.toSorted((one, other) => one.key - other.key).map(({ column }) => column)
}

function moved(columns: Column[], from: number, to: number): string[] {
  const ids = columns.map(({ id }) => id)
  const [one, other] = [ids[from], ids[to]]
  if (one === undefined || other === undefined) return ids
  return ids.with(from, other).with(to, one)
}

function keep(choice: Choice): void {
  localStorage.setItem(KEPT_AS, JSON.stringify(choice))
  store.set(choice)
}

function readKept(): Choice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null')
    return isChoice(stored) ? stored : nothingChosen
  } catch {
    return nothingChosen
  }
}

function isChoice(value: unknown): value is Choice {
  if (typeof value !== 'object' || value === null) return false
  if (!('order' in value && 'shown' in value)) return false
  return Array.isArray(value.order) && typeof value.shown === 'object' && value.shown !== null
}
