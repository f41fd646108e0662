/**
 * All predictions of a screen on a canvas that draws only the visible part. Arrow keys move between
 * cells, Enter opens the pair; the table contains the same values for screen readers.
 */
import { ColumnGrid, Flex } from '#web/ui/layout.ts'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  type AffinityUnit,
  nameAffinity,
  shortenAffinity,
  shortenMeasured,
  unitTitles,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { domainTitles } from '#web/lib/domain-states.ts'
import { Select } from '#web/ui/field.tsx'
import { Diamond } from '#web/ui/measured-mark.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { CellPanel } from './cell-panel.tsx'
import { drawHeatMap, readPalette, SCALE_PKD } from './heat-map-drawing.ts'
import {
  type CellPlace,
  cellUnder,
  type HeatMapLayout,
  layOut,
  moveByKey,
  viewOf,
} from './heat-map-layout.ts'
import classes from './heat-map.module.css'
import {
  domainStateAt,
  type GridDetails,
  isFailedAt,
  orderRows,
  pkdAt,
  type RowOrder,
  type ScreenGrid,
  titleOf,
} from './screen-matrix.ts'

type Props = {
  grid: ScreenGrid
  /** Intervals and measured values, once they are loaded. */
  details: GridDetails | undefined
  /** Draws a molecule; null if structures are not shown. */
  drawSmiles: ((smiles: string) => ReactNode) | null
  /** Adds a compound to the shortlist, or removes it. */
  starCompound: (compound: string) => ReactNode
  /** A pair was selected: `row` of its compound in the input, `column` of its target. */
  onOpen: (row: number, column: number) => void
}

const NOTHING_MEASURED: ReadonlyMap<number, number> = new Map()

const FIRST: CellPlace = { row: 0, column: 0 }

const ORDERS = [
  { value: 'input', label: 'Input order' },
  { value: 'strongest', label: 'Strongest first' },
  { value: 'most selective', label: 'Most selective first' },
] as const satisfies { value: RowOrder; label: string }[]

export function HeatMap({ grid, details, onOpen, ...draws }: Props) {
  const [rowOrder, setRowOrder] = useState<RowOrder>('strongest')
  const order = useMemo(() => orderRows(grid, rowOrder), [grid, rowOrder])
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const unit = useAffinityUnit()
  const drawn = { grid, measured: details?.measured ?? NOTHING_MEASURED, order, unit }
  const map = useMap({ scroller, canvas, ...drawn })
  // Stays when the pointer leaves the map, so that it can move to the panel.
  const [pointed, setPointed] = useState<CellPlace | null>(null)
  const shown = pointed ?? map.focused ?? FIRST
  const open = (cell: CellPlace | null) => cell && onOpen(order[cell.row] ?? 0, cell.column)

  function handleKey(event: KeyboardEvent) {
    if (event.altKey || event.metaKey) return
    if (event.key === 'Enter' || event.key === ' ') open(map.focused)
    else if (map.move(event)) setPointed(null)
    else return
    event.preventDefault()
  }

  return (
    <ColumnGrid template="minmax(0, 1fr) 288px" below={1000}>
      <section className={`sheet ${classes.sheet}`} aria-label="Heat map">
        <Flex
          wrap="wrap"
          rowGap="sm"
          columnGap="lg"
          align="flex-end"
          justify="space-between"
          mb="md"
        >
          <Legend unit={unit} hasMeasured={drawn.measured.size > 0} />
          <Select
            label="Order of compounds"
            className={classes.order}
            value={rowOrder}
            options={ORDERS}
            onChange={setRowOrder}
          />
        </Flex>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- one tab stop for thousands of cells */}
        <div
          ref={scroller}
          className={classes.scroller}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a scroller, not a part of the text
          role="region"
          aria-label="Heat map cells. The table view lists the same values."
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- walked through by arrows, scrolled by keys
          tabIndex={0}
          onKeyDown={handleKey}
          onFocus={({ currentTarget }) => map.enter(currentTarget)}
          onPointerMove={(event) => setPointed(map.under(event) ?? pointed)}
          onClick={(event) => open(map.under(event))}
        >
          <div style={{ width: map.layout.width, height: map.layout.height }}>
            <canvas ref={canvas} className={classes.canvas} aria-hidden="true" />
          </div>
        </div>
        <output className="visually-hidden">{describe(drawn, map.focused)}</output>
      </section>
      <CellPanel
        {...{ grid, details, unit, ...draws }}
        row={order[shown.row] ?? 0}
        column={shown.column}
        onOpen={() => open(shown)}
      />
    </ColumnGrid>
  )
}

/** The legend of the colours. */
function Legend({ unit, hasMeasured }: { unit: AffinityUnit; hasMeasured: boolean }) {
  const { from, to } = SCALE_PKD
  const step = unit === 'Kd' ? 2 : 1
  const ticks = Array.from({ length: (to - from) / step + 1 }, (_, index) => from + step * index)
  const nameOf = (pkd: number) => (unit === 'pKd' ? `${pkd}` : shortenAffinity(pkd, unit))
  return (
    <Flex wrap="wrap" rowGap="xs" columnGap="lg" align="center" c="var(--ink-2)" fz="sm">
      <div>
        <div className={classes.ramp} />
        <Flex justify="space-between" maw={280}>
          {ticks.map((tick) => (
            <span key={tick}>{nameOf(tick)}</span>
          ))}
        </Flex>
        <p>
          {unitTitles[unit]}; clipped below {nameOf(from)} and above {nameOf(to)}
        </p>
      </div>
      <p>
        <span className={classes.elsewhere} /> known on other targets only
      </p>
      <p>
        <span className={classes.outside} /> outside the domain
      </p>
      {hasMeasured && (
        <p>
          <Diamond /> measured
        </p>
      )}
    </Flex>
  )
}

type Described = Pick<Surface, 'grid' | 'measured' | 'order' | 'unit'>

function describe(
  { grid, measured, order, unit }: Described,
  cell: CellPlace | null,
): string | null {
  const row = cell === null ? undefined : order[cell.row]
  if (cell === null || row === undefined) return null
  const place = row * grid.targets.length + cell.column
  const pair = `${grid.compounds[row]} on ${titleOf(grid, cell.column)}`
  const pkd = pkdAt(grid, place)
  if (pkd === null) {
    return `${pair}: ${isFailedAt(grid, place) ? 'no prediction' : 'not predicted yet'}`
  }
  const state = domainStateAt(grid, place)
  const own = measured.get(place)
  const also = own === undefined ? '' : `, measured ${shortenMeasured(own, unit)}`
  return `${pair}: ${nameAffinity(pkd, unit, state)}, ${domainTitles[state].toLowerCase()}${also}`
}

type Surface = {
  scroller: RefObject<HTMLDivElement | null>
  canvas: RefObject<HTMLCanvasElement | null>
  grid: ScreenGrid
  measured: ReadonlyMap<number, number>
  order: Uint32Array
  unit: AffinityUnit
}

/** The canvas, its scroll position, and the focused cell. */
function useMap(surface: Surface) {
  const { grid, order } = surface
  const [room, setRoom] = useState(0)
  const [focused, setFocused] = useState<CellPlace | null>(null)
  const letters = Math.max(...grid.targets.map((_, column) => titleOf(grid, column).length))
  const layout = useMemo(
    () => layOut({ room, compounds: grid.compounds.length, targets: grid.targets.length, letters }),
    [room, grid.compounds.length, grid.targets.length, letters],
  )
  useDrawing({ ...surface, layout, focused, onRoom: setRoom })

  function move({ key, ctrlKey, currentTarget: element }: KeyboardEvent): boolean {
    const page = Math.floor((element.clientHeight - layout.head) / layout.cellHeight)
    const size = { rows: order.length, columns: grid.targets.length, page }
    const next = moveByKey({ key, ctrlKey }, focused ?? { row: 0, column: 0 }, size)
    if (next === null) return false
    setFocused(next)
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = element
    const view = viewOf(layout, { left, top, width, height }, next)
    element.scrollTo({ ...view, behavior: 'instant' })
    return true
  }

  function under({
    clientX,
    clientY,
    currentTarget,
  }: Pick<PointerEvent, 'clientX' | 'clientY' | 'currentTarget'>) {
    const { left, top } = currentTarget.getBoundingClientRect()
    const view = { left: currentTarget.scrollLeft, top: currentTarget.scrollTop }
    return cellUnder(layout, view, { x: clientX - left, y: clientY - top })
  }

  const enter = (element: Element) => {
    if (element.matches(':focus-visible')) setFocused((cell) => cell ?? { row: 0, column: 0 })
  }
  return { layout, focused, move, under, enter }
}

type Drawing = Surface & {
  layout: HeatMapLayout
  focused: CellPlace | null
  onRoom: (width: number) => void
}

/** At most once per frame. */
function useDrawing({ scroller, canvas, layout, focused, onRoom, ...drawn }: Drawing) {
  const { grid, measured, order, unit } = drawn
  const scheme = useColorScheme()
  const [isFontThere, setIsFontThere] = useState(false)
  useEffect(() => {
    // A canvas is not redrawn by itself when a font has loaded.
    void document.fonts?.ready.then(() => setIsFontThere(true))
  }, [])

  useLayoutEffect(() => {
    const [element, surface] = [scroller.current, canvas.current]
    const context = surface?.getContext('2d')
    if (!element || !surface || !context) return
    const palette = readPalette(element)
    let frame = 0
    const draw = () => {
      frame = 0
      const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = element
      resize(surface, width, height)
      context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
      const view = { left, top, width, height }
      drawHeatMap(context, { grid, measured, order, unit, layout, palette, view, focused })
    }
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    const observer = new ResizeObserver(() => {
      onRoom(element.clientWidth)
      schedule()
    })
    observer.observe(element)
    element.addEventListener('scroll', schedule, { passive: true })
    schedule()
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      element.removeEventListener('scroll', schedule)
    }
  }, [scroller, canvas, grid, measured, order, unit, layout, focused, scheme, isFontThere, onRoom])
}

/** Setting a size clears the canvas, even to the same size. */
function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  const [pixelsX, pixelsY] = [width * devicePixelRatio, height * devicePixelRatio].map(Math.round)
  if (pixelsX !== undefined && canvas.width !== pixelsX) canvas.width = pixelsX
  if (pixelsY !== undefined && canvas.height !== pixelsY) canvas.height = pixelsY
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
}
