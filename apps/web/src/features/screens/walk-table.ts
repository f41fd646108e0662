/** Moves between the cells of the results with the keyboard. */
import { type RefObject, useEffect, useRef } from 'react'

export type Cell = { row: number; column: number }

export function stepByKey(key: string, { row, column }: Cell, last: Cell): Cell | null {
  const steps: Record<string, Cell> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + 10, column },
    PageUp: { row: row - 10, column },
    Home: { row: 0, column },
    End: { row: last.row, column },
  }
  const next = steps[key]
  if (next === undefined || last.row < 0) return null
  const within = (at: number, most: number) => Math.min(most, Math.max(0, at))
  return { row: within(next.row, last.row), column: within(next.column, last.column) }
}

/**
 * Returns a function that focuses a cell as soon as it is rendered: distant rows are loaded first,
 * and the previously focused row is removed by then. If anything else gets the focus meanwhile, it
 * keeps it.
 */
export function useCellFocus(scroller: RefObject<HTMLElement | null>): (cell: Cell) => void {
  const wanted = useRef<Cell>(null)
  useEffect(() => {
    const { activeElement: focused } = document
    const isElsewhere = focused !== document.body && !scroller.current?.contains(focused)
    if (wanted.current === null) return
    if (isElsewhere || focusCell(scroller.current, wanted.current)) wanted.current = null
  })
  return (cell) => {
    wanted.current = focusCell(scroller.current, cell) ? null : cell
  }
}

/** False if the cell is not rendered. */
function focusCell(scroller: HTMLElement | null, { row, column }: Cell): boolean {
  const buttons = scroller?.querySelectorAll<HTMLElement>(
    `[aria-rowindex="${row + 2}"] button:not([data-star])`,
  )
  const button = buttons?.[column]
  button?.focus()
  return button !== undefined
}

/** Arrow keys skip stars: `*` stars the focused row. */
export function starRow(focused: EventTarget) {
  if (!(focused instanceof Element)) return
  focused.closest('tr')?.querySelector<HTMLElement>('[data-star]')?.click()
}

/** Ctrl+C copies the focused cell as it reads, unless text is selected. */
export function copyCell({
  target,
  ctrlKey,
  metaKey,
  key,
}: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'key' | 'target'>) {
  const isCopy = (ctrlKey || metaKey) && key === 'c' && (getSelection()?.isCollapsed ?? true)
  const cell = isCopy && target instanceof Element ? target.closest('td') : null
  if (cell === null) return
  const shown = cell.cloneNode(true) as HTMLElement
  for (const hidden of shown.querySelectorAll('.visually-hidden, [aria-hidden]')) hidden.remove()
  void navigator.clipboard.writeText((shown.textContent ?? '').trim())
}
