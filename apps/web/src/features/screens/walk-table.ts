/** Walks through the cells of the results by key. */

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

export function focusCell(scroller: HTMLElement | null, { row, column }: Cell) {
  const buttons = scroller?.querySelectorAll<HTMLElement>(
    `[aria-rowindex="${row + 2}"] button:not([data-star])`,
  )
  buttons?.[column]?.focus()
}

/** A star is no stop of the arrow keys: it is a key of its row. */
export function starRow(focused: EventTarget) {
  if (!(focused instanceof Element)) return
  focused.closest('tr')?.querySelector<HTMLElement>('[data-star]')?.click()
}
