/** Draws the part of a heat map that is in sight, and nothing else: what it costs does not grow with the screen. */
import { type AffinityUnit, shortenAffinity } from '#web/lib/affinity-unit.ts'
import type { CellPlace, HeatMapLayout } from './heat-map-layout.ts'
import { isFailedAt, isInDomainAt, pkdAt, type ScreenGrid } from './screen-matrix.ts'

/** The ends of the colour scale, in pKd; what lies beyond has the colour of its end. */
export const SCALE_PKD = { from: 4, to: 10 }
const RAMP_STEPS = 9

export type Palette = {
  ramp: { ground: string; ink: string }[]
  surface: string
  empty: string
  ink: string
  faint: string
  focus: string
  line: string
  hatch: string
  font: string
}

export type HeatMapPicture = {
  grid: ScreenGrid
  /** Compounds as they stand from top to bottom. */
  order: Uint32Array
  layout: HeatMapLayout
  unit: AffinityUnit
  palette: Palette
  view: { left: number; top: number; width: number; height: number }
  focused: CellPlace | null
}

export function drawHeatMap(context: CanvasRenderingContext2D, picture: HeatMapPicture): void {
  const { view, palette } = picture
  context.fillStyle = palette.surface
  context.fillRect(0, 0, view.width, view.height)
  const seen = rangeInSight(picture)
  clipped(context, cellsArea(picture), () => drawCells(context, picture, seen))
  drawCompoundNames(context, picture, seen)
  drawTargetNames(context, picture, seen)
}

/** Colours as the page has them now, light or dark. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element)
  const role = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const ramp = Array.from({ length: RAMP_STEPS }, (_, step) => {
    const ground = role(`heat-${step}`)
    return { ground, ink: inkOn(ground) }
  })
  return {
    ramp,
    surface: role('surface'),
    empty: role('sunken'),
    ink: role('ink'),
    faint: role('ink-3'),
    focus: role('ink'),
    line: role('line'),
    hatch: role('hatch'),
    font: style.fontFamily,
  }
}

export function rampStep(pkd: number): number {
  const { from, to } = SCALE_PKD
  const share = Math.min(1, Math.max(0, (pkd - from) / (to - from)))
  return Math.round(share * (RAMP_STEPS - 1))
}

/** Black or white, whichever stands out more from `#rrggbb`. */
function inkOn(ground: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000000' : '#ffffff'
}

type Range = { rows: [number, number]; columns: [number, number] }

function rangeInSight({ order, grid, layout, view }: HeatMapPicture): Range {
  const { gutter, head, cellWidth, cellHeight } = layout
  const lastRow = Math.ceil((view.top + view.height - head) / cellHeight)
  const lastColumn = Math.ceil((view.left + view.width - gutter) / cellWidth)
  return {
    rows: [Math.floor(view.top / cellHeight), Math.min(order.length, lastRow)],
    columns: [Math.floor(view.left / cellWidth), Math.min(grid.targets.length, lastColumn)],
  }
}

type Area = [x: number, y: number, width: number, height: number]

function cellsArea({ layout: { gutter, head }, view }: HeatMapPicture): Area {
  return [gutter, head, view.width - gutter, view.height - head]
}

function clipped(context: CanvasRenderingContext2D, area: Area, draw: () => void): void {
  context.save()
  context.beginPath()
  context.rect(...area)
  context.clip()
  draw()
  context.restore()
}

/** The corner of a cell in the view. */
function cornerOf({ layout, view }: HeatMapPicture, { row, column }: CellPlace): [number, number] {
  const { gutter, head, cellWidth, cellHeight } = layout
  return [gutter + column * cellWidth - view.left, head + row * cellHeight - view.top]
}

function drawCells(
  context: CanvasRenderingContext2D,
  picture: HeatMapPicture,
  { rows, columns }: Range,
): void {
  const { layout, palette, focused } = picture
  context.font = `500 13px ${palette.font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineWidth = 1
  for (let row = rows[0]; row < rows[1]; row += 1) {
    for (let column = columns[0]; column < columns[1]; column += 1) {
      drawCell(context, picture, { row, column })
    }
  }
  if (focused === null) return
  const [x, y] = cornerOf(picture, focused)
  context.strokeStyle = palette.surface
  context.lineWidth = 5
  context.strokeRect(x + 2, y + 2, layout.cellWidth - 4, layout.cellHeight - 4)
  context.strokeStyle = palette.focus
  context.lineWidth = 2.5
  context.strokeRect(x + 1, y + 1, layout.cellWidth - 2, layout.cellHeight - 2)
}

function drawCell(context: CanvasRenderingContext2D, picture: HeatMapPicture, at: CellPlace): void {
  const { grid, order, palette, layout, unit } = picture
  const place = (order[at.row] ?? 0) * grid.targets.length + at.column
  const [x, y] = cornerOf(picture, at)
  const gap = layout.hasNumbers ? 2 : 1
  const area: Area = [x, y, layout.cellWidth - gap, layout.cellHeight - gap]
  const pkd = pkdAt(grid, place)
  if (pkd === null) {
    fill(context, palette.empty, area)
    const sign = isFailedAt(grid, place) ? '×' : '·'
    if (layout.hasNumbers) write(context, palette.faint, sign, area)
    return
  }
  const { ground, ink } = palette.ramp[rampStep(pkd)] ?? { ground: palette.empty, ink: palette.ink }
  fill(context, ground, area)
  const isOutside = !isInDomainAt(grid, place)
  if (isOutside) hatch(context, palette.hatch, area)
  if (!layout.hasNumbers) return
  // The number stands clear of the lines.
  const text = shortenAffinity(pkd, unit)
  if (isOutside) {
    const half = Math.min(area[2] / 2, 4 + text.length * HALF_LETTER_PX)
    fill(context, ground, [x + area[2] / 2 - half, y + area[3] / 2 - 9, 2 * half, 18])
  }
  write(context, ink, text, area)
}

function fill(context: CanvasRenderingContext2D, colour: string, area: Area): void {
  context.fillStyle = colour
  context.fillRect(...area)
}

function write(
  context: CanvasRenderingContext2D,
  colour: string,
  text: string,
  [x, y, width, height]: Area,
): void {
  context.fillStyle = colour
  context.fillText(text, x + width / 2, y + height / 2 + 1)
}

const HATCH_PX = 7
const HALF_LETTER_PX = 3.4

/** Lines from the lower left to the upper right, inside the cell. */
function hatch(context: CanvasRenderingContext2D, colour: string, area: Area): void {
  const [left, top, width, height] = area
  context.strokeStyle = colour
  context.beginPath()
  for (let start = HATCH_PX / 2; start < width + height; start += HATCH_PX) {
    const [x0, y0] = start < height ? [0, start] : [start - height, height]
    const [x1, y1] = start < width ? [start, 0] : [width, start - width]
    context.moveTo(left + x0, top + y0)
    context.lineTo(left + x1, top + y1)
  }
  context.stroke()
}

function drawCompoundNames(
  context: CanvasRenderingContext2D,
  picture: HeatMapPicture,
  { rows }: Range,
): void {
  const { grid, order, layout, palette, view } = picture
  context.fillStyle = palette.surface
  context.fillRect(0, layout.head, layout.gutter, view.height - layout.head)
  clipped(context, [0, layout.head, layout.gutter, view.height - layout.head], () => {
    context.fillStyle = palette.ink
    context.font = `${layout.hasNumbers ? 13 : 11}px ${palette.font}`
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    for (let row = rows[0]; row < rows[1]; row += 1) {
      const name = grid.compounds[order[row] ?? 0] ?? ''
      const [, y] = cornerOf(picture, { row, column: 0 })
      const text = shorten(context, name, layout.gutter - 16)
      context.fillText(text, layout.gutter - 10, y + layout.cellHeight / 2)
    }
  })
}

function drawTargetNames(
  context: CanvasRenderingContext2D,
  picture: HeatMapPicture,
  { columns }: Range,
): void {
  const { grid, layout, palette, view } = picture
  context.fillStyle = palette.surface
  context.fillRect(0, 0, view.width, layout.head)
  clipped(context, [layout.gutter, 0, view.width - layout.gutter, layout.head], () => {
    context.fillStyle = palette.ink
    context.font = `500 ${layout.hasNumbers ? 13 : 11}px ${palette.font}`
    context.textAlign = 'left'
    context.textBaseline = 'middle'
    for (let column = columns[0]; column < columns[1]; column += 1) {
      const target = grid.targets[column]
      if (target === undefined) continue
      const [x] = cornerOf(picture, { row: 0, column })
      context.save()
      context.translate(x + layout.cellWidth / 2, layout.head - 8)
      context.rotate(-Math.PI / 2)
      const text = shorten(context, titleOf(grid, column), layout.head - 20)
      context.fillText(text, 0, 0)
      context.restore()
    }
  })
}

/** A target by its name; with its chain where the same target stands there on several. */
export function titleOf({ targets }: ScreenGrid, column: number): string {
  const target = targets[column]
  if (target === undefined) return ''
  const isAlone = targets.filter(({ name }) => name === target.name).length === 1
  return isAlone ? target.name : `${target.name}, ${target.chain}`
}

function shorten(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text
  let end = Math.min(text.length - 1, Math.floor(width / 5))
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end -= 1
  return `${text.slice(0, end)}…`
}
