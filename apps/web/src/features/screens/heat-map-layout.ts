/** The layout of a heat map: a row per compound, a column per target. */

export type HeatMapLayout = {
  /** Space for the names of the compounds, and of the targets. */
  gutter: number
  head: number
  cellWidth: number
  cellHeight: number
  hasNumbers: boolean
  width: number
  height: number
}

const NARROW_PX = 520
const NUMBERED_COLUMNS_MAX = 40
const [CELL_WIDTH_MIN, CELL_WIDTH_MAX] = [46, 140]
/** Names of targets are vertical; longer ones are cut. */
const [HEAD_MIN, HEAD_MAX] = [56, 144]
const LETTER_PX = 9
const SMALL_CELL_PX = 16

/** `room`: the available width; `letters`: the length of the longest target name. */
type Size = { room: number; compounds: number; targets: number; letters: number }

export function layOut({ room, compounds, targets, letters }: Size): HeatMapLayout {
  const hasNumbers = targets <= NUMBERED_COLUMNS_MAX
  const gutter = room < NARROW_PX ? 108 : 176
  const head = Math.min(HEAD_MAX, Math.max(HEAD_MIN, 28 + letters * LETTER_PX))
  const fitting = Math.floor((room - gutter) / Math.max(1, targets))
  const cellWidth = hasNumbers
    ? Math.min(CELL_WIDTH_MAX, Math.max(CELL_WIDTH_MIN, fitting))
    : SMALL_CELL_PX
  const cellHeight = hasNumbers ? 30 : SMALL_CELL_PX
  const width = gutter + targets * cellWidth
  return {
    gutter,
    head,
    cellWidth,
    cellHeight,
    hasNumbers,
    width,
    height: head + compounds * cellHeight,
  }
}

/** A cell by its displayed row and column. */
export type CellPlace = { row: number; column: number }

type View = { left: number; top: number }

/** The cell under a point of the view; null on the names and outside the cells. */
export function cellUnder(
  { gutter, head, cellWidth, cellHeight, width, height }: HeatMapLayout,
  { left, top }: View,
  point: { x: number; y: number },
): CellPlace | null {
  if (point.x < gutter || point.y < head) return null
  const [x, y] = [point.x + left, point.y + top]
  if (x >= width || y >= height) return null
  return { row: Math.floor((y - head) / cellHeight), column: Math.floor((x - gutter) / cellWidth) }
}

/** The scroll position at which a cell is fully visible. */
export function viewOf(
  { gutter, head, cellWidth, cellHeight }: HeatMapLayout,
  view: View & { width: number; height: number },
  { row, column }: CellPlace,
): View {
  return {
    left: shift(view.left, view.width - gutter, column * cellWidth, cellWidth),
    top: shift(view.top, view.height - head, row * cellHeight, cellHeight),
  }
}

function shift(from: number, room: number, start: number, size: number): number {
  if (start < from) return start
  return start + size > from + room ? start + size - room : from
}

/** The cell to which a key moves; null if the key does not move. */
export function moveByKey(
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  { row, column }: CellPlace,
  size: { rows: number; columns: number; page: number },
): CellPlace | null {
  const last = { row: size.rows - 1, column: size.columns - 1 }
  const steps: Record<string, CellPlace> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + size.page, column },
    PageUp: { row: row - size.page, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? last.row : row, column: last.column },
  }
  const next = steps[key]
  return next === undefined
    ? null
    : { row: within(next.row, last.row), column: within(next.column, last.column) }
}

function within(index: number, last: number): number {
  return Math.min(last, Math.max(0, index))
}

/** Cut in the middle, because names of one library begin alike and differ at the end. */
export function shorten(
  context: Pick<CanvasRenderingContext2D, 'measureText'>,
  text: string,
  width: number,
): string {
  const isFitting = (some: string) => context.measureText(some).width <= width
  if (isFitting(text)) return text
  let kept = Math.min(text.length - 1, Math.floor(width / 5))
  const cut = () => `${text.slice(0, Math.floor(kept / 2))}…${text.slice(-Math.ceil(kept / 2))}`
  while (kept > 2 && !isFitting(cut())) kept -= 1
  return cut()
}
