/**
 * All numbers of a screen at a glance, on a canvas that draws what is in sight. Arrows walk from cell to cell,
 * Enter opens the pair; the table beside it says the same to those who do not see it.
 */
import {
  type KeyboardEvent,
  type PointerEvent,
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
  unitTitles,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { Select } from '#web/ui/field.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { drawHeatMap, readPalette, SCALE_PKD, titleOf } from './heat-map-drawing.ts'
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
  isFailedAt,
  isInDomainAt,
  orderRows,
  pkdAt,
  type RowOrder,
  type ScreenGrid,
} from './screen-matrix.ts'

type Props = {
  grid: ScreenGrid
  /** A pair was chosen, by the place of its compound in the input and that of its target. */
  onOpen: (row: number, column: number) => void
}

const ORDERS = [
  { value: 'input', label: 'In the order of the input' },
  { value: 'strongest', label: 'Strongest first' },
  { value: 'most selective', label: 'Most selective first' },
] as const satisfies { value: RowOrder; label: string }[]

export function HeatMap({ grid, onOpen }: Props) {
  const [rowOrder, setRowOrder] = useState<RowOrder>('strongest')
  const order = useMemo(() => orderRows(grid, rowOrder), [grid, rowOrder])
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const unit = useAffinityUnit()
  const map = useMap({ scroller, canvas, grid, order, unit })
  const [hovered, setHovered] = useState<CellPlace | null>(null)
  const shown = hovered ?? map.focused
  const open = (cell: CellPlace | null) => {
    if (cell !== null) onOpen(order[cell.row] ?? 0, cell.column)
  }

  function handleKey(event: KeyboardEvent) {
    if (event.altKey || event.metaKey) return
    if (event.key === 'Enter' || event.key === ' ') open(map.focused)
    else if (!map.move(event)) return
    event.preventDefault()
  }

  return (
    <section className={`sheet ${classes.sheet}`} aria-label="Heat map">
      <div className={classes.bar}>
        <Legend unit={unit} />
        <Select
          label="Compounds"
          className={classes.order}
          value={rowOrder}
          options={ORDERS}
          onChange={setRowOrder}
        />
      </div>
      <p className={classes.reading}>
        {describe({ grid, order, unit }, shown) ??
          'Point at a cell, or walk through them with the arrow keys. Enter opens the pair.'}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- one tab stop for thousands of cells */}
      <div
        ref={scroller}
        className={classes.scroller}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a scroller, not a part of the text
        role="region"
        aria-label="Cells of the heat map; the table holds the same numbers"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- walked through by arrows, scrolled by keys
        tabIndex={0}
        style={{ maxHeight: 'min(72vh, 760px)' }}
        onKeyDown={handleKey}
        onFocus={({ currentTarget }) => map.enter(currentTarget)}
        onPointerMove={(event) => setHovered(map.under(event))}
        onPointerLeave={() => setHovered(null)}
        onClick={(event) => open(map.under(event))}
      >
        <div style={{ width: map.layout.width, height: map.layout.height }}>
          <canvas ref={canvas} className={classes.canvas} aria-hidden="true" />
        </div>
      </div>
      <output className="visually-hidden">{describe({ grid, order, unit }, map.focused)}</output>
    </section>
  )
}

/** The colours and what they stand for. */
function Legend({ unit }: { unit: AffinityUnit }) {
  const { from, to } = SCALE_PKD
  const step = unit === 'Kd' ? 2 : 1
  const ticks = Array.from({ length: (to - from) / step + 1 }, (_, index) => from + step * index)
  const nameOf = (pkd: number) => (unit === 'pKd' ? `${pkd}` : shortenAffinity(pkd, unit))
  return (
    <div className={classes.legend}>
      <div>
        <div className={classes.ramp} />
        <div className={classes.ticks}>
          {ticks.map((tick) => (
            <span key={tick}>{nameOf(tick)}</span>
          ))}
        </div>
        <p>
          {unitTitles[unit]}; weaker than {nameOf(from)} and stronger than {nameOf(to)} the colour
          stays
        </p>
      </div>
      <p>
        <span className={classes.hatched} /> outside the model’s domain
      </p>
    </div>
  )
}

type Described = { grid: ScreenGrid; order: Uint32Array; unit: AffinityUnit }

function describe({ grid, order, unit }: Described, cell: CellPlace | null): string | null {
  const row = cell === null ? undefined : order[cell.row]
  if (cell === null || row === undefined) return null
  const place = row * grid.targets.length + cell.column
  const pair = `${grid.compounds[row]} on ${titleOf(grid, cell.column)}`
  const pkd = pkdAt(grid, place)
  if (pkd === null) return `${pair}: ${isFailedAt(grid, place) ? 'no number' : 'no number yet'}`
  const domain = isInDomainAt(grid, place) ? 'inside the domain' : 'outside the domain'
  return `${pair}: ${nameAffinity(pkd, unit)}, ${domain}`
}

type Surface = {
  scroller: RefObject<HTMLDivElement | null>
  canvas: RefObject<HTMLCanvasElement | null>
  grid: ScreenGrid
  order: Uint32Array
  unit: AffinityUnit
}

/** The canvas, where it is scrolled to, and the cell that the keyboard stands on. */
function useMap({ scroller, canvas, grid, order, unit }: Surface) {
  const [room, setRoom] = useState(0)
  const [focused, setFocused] = useState<CellPlace | null>(null)
  const letters = Math.max(...grid.targets.map((_, column) => titleOf(grid, column).length))
  const layout = useMemo(
    () => layOut({ room, compounds: grid.compounds.length, targets: grid.targets.length, letters }),
    [room, grid.compounds.length, grid.targets.length, letters],
  )
  useDrawing({ scroller, canvas, grid, order, unit, layout, focused, onRoom: setRoom })

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

/** Once a frame at most, however often something changes in between. */
function useDrawing({ scroller, canvas, grid, order, unit, layout, focused, onRoom }: Drawing) {
  const scheme = useColorScheme()
  const [isFontThere, setIsFontThere] = useState(false)
  useEffect(() => {
    // A canvas does not draw itself anew when a font arrives.
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
      drawHeatMap(context, { grid, order, unit, layout, palette, view, focused })
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
  }, [scroller, canvas, grid, order, unit, layout, focused, scheme, isFontThere, onRoom])
}

/** Setting a size clears a canvas and costs, even where it is the same. */
function resize(canvas: HTMLCanvasElement, width: number, height: number): void {
  const [pixelsX, pixelsY] = [width * devicePixelRatio, height * devicePixelRatio].map(Math.round)
  if (pixelsX !== undefined && canvas.width !== pixelsX) canvas.width = pixelsX
  if (pixelsY !== undefined && canvas.height !== pixelsY) canvas.height = pixelsY
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
}
