/** Draws only the visible part of a heat map, so the cost does not grow with the screen. */
import type { DomainState } from '@pkdex/contract'
import { type AffinityUnit, shortenAffinity } from '#web/lib/affinity-unit.ts'
import { type CellPlace, type HeatMapLayout, shorten } from './heat-map-layout.ts'
import { domainStateAt, isFailedAt, pkdAt, type ScreenGrid, titleOf } from './screen-matrix.ts'

/** The ends of the colour scale, in pKd; values beyond have the colour of the end. */
export const SCALE_PKD = { from: 4, to: 10 }
const RAMP_STOPS = 9
/** Number of colours between two stops: one per 0.05 pKd. */
const SHADES = 15

type Shade = { ground: string; ink: string }

export type Palette = {
  ramp: Shade[]
  surface: string
  empty: string
  ink: string
  faint: string
  focus: string
  line: string
  font: string
}

export type HeatMapPicture = {
  grid: ScreenGrid
  /** Measured values, by pair. */
  measured: ReadonlyMap<number, number>
  /** Compounds in the displayed order. */
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

/** The page's current colours, light or dark. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element)
  const role = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const stops = Array.from({ length: RAMP_STOPS }, (_, step) => readColour(role(`heat-${step}`)))
  const colours = stops.flatMap((stop, at) => {
    const next = stops[at + 1]
    if (next === undefined) return [stop]
    return Array.from({ length: SHADES }, (_, shade) => blend(stop, next, shade / SHADES))
  })
  return {
    ramp: colours.map(toShade),
    surface: role('surface'),
    empty: role('sunken'),
    ink: role('ink'),
    faint: role('ink-3'),
    focus: role('ink'),
    line: role('line'),
    font: style.fontFamily,
  }
}

/** The index of the colour for a pKd. */
export function shadeOf(pkd: number): number {
  const { from, to } = SCALE_PKD
  const share = Math.min(1, Math.max(0, (pkd - from) / (to - from)))
  return Math.round(share * (RAMP_STOPS - 1) * SHADES)
}

type Colour = [red: number, green: number, blue: number]

/** Reads `#rrggbb`, or `#rgb`, to which the build shortens it. */
function readColour(role: string): Colour {
  const hex = role.length === 4 ? role.replaceAll(/[^#]/g, '$&$&') : role
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

function blend(one: Colour, other: Colour, share: number): Colour {
  const mix = (at: 0 | 1 | 2) => one[at] + (other[at] - one[at]) * share
  return [mix(0), mix(1), mix(2)]
}

/** With black or white text, whichever has more contrast: at least 4.5 on any background. */
function toShade(colour: Colour): Shade {
  const [red, green, blue] = colour.map((channel) => {
    const value = channel / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as Colour
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  const ground = `rgb(${colour.map(Math.round).join(' ')})`
  return { ground, ink: luminance > 0.179 ? '#000000' : '#ffffff' }
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

/** The upper left corner of a cell in the view. */
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
  for (let row = rows[0]; row < rows[1]; row += 1) {
    for (let column = columns[0]; column < columns[1]; column += 1) {
      drawCell(context, picture, { row, column })
      drawMeasured(context, picture, { row, column })
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
  const state = domainStateAt(grid, place)
  const { ground, ink } = palette.ramp[shadeOf(pkd)] ?? { ground: palette.empty, ink: palette.ink }
  fill(context, ground, area)
  if (layout.hasNumbers) {
    write(context, ink, shortenAffinity(pkd, unit, state), area)
    if (state !== 'known_on_target') drawRing(context, { colour: ink, state }, area)
  }
}

/** A diamond in the lower corner of a cell whose pair was measured. */
function drawMeasured(
  context: CanvasRenderingContext2D,
  picture: HeatMapPicture,
  at: CellPlace,
): void {
  const { grid, order, palette, layout } = picture
  const place = (order[at.row] ?? 0) * grid.targets.length + at.column
  const pkd = picture.measured.has(place) ? pkdAt(grid, place) : null
  if (pkd === null) return
  const [x, y] = cornerOf(picture, at)
  const gap = layout.hasNumbers ? 2 : 1
  const [width, height] = [layout.cellWidth - gap, layout.cellHeight - gap]
  const inset = Math.min(RING_INSET, width / 2)
  const [centreX, centreY] = [x + width - inset, y + height - inset]
  context.fillStyle = palette.ramp[shadeOf(pkd)]?.ink ?? palette.ink
  context.beginPath()
  context.moveTo(centreX, centreY - DIAMOND_REACH)
  context.lineTo(centreX + DIAMOND_REACH, centreY)
  context.lineTo(centreX, centreY + DIAMOND_REACH)
  context.lineTo(centreX - DIAMOND_REACH, centreY)
  context.fill()
}

const DIAMOND_REACH = 4

/** A ring in the corner of a cell that is known on other targets only. */
type Ring = { colour: string; state: DomainState }

/** Dashed outside the domain. The colour of a cell is its affinity alone. */
function drawRing(
  context: CanvasRenderingContext2D,
  { colour, state }: Ring,
  [x, y, width]: Area,
): void {
  context.strokeStyle = colour
  context.setLineDash(state === 'outside' ? [2, 2] : [])
  context.lineWidth = 1.2
  context.beginPath()
  context.arc(x + width - RING_INSET, y + RING_INSET, RING_RADIUS, 0, 2 * Math.PI)
  context.stroke()
  context.setLineDash([])
}

const [RING_INSET, RING_RADIUS] = [7, 2.8]

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
