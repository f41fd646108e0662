/**
 * The plot used by every chart: two titled axes with round ticks, points on a canvas because there may be many, and a
 * card for the point under the pointer or reached with the arrow keys. Text keeps its size at every width.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Axis, ticksOf, wordTick } from './axis.ts'
import classes from './plot.module.css'
import { type Place, useActivePoint } from './plot-point.ts'
import { useColorScheme } from './theme/theme-provider.tsx'

export type PlotPoints = {
  x: Float64Array
  y: Float64Array
  /** Without it all points are filled. */
  markOf?: (index: number) => PointMark
}

/** From back to front. */
const marks = ['faint', 'hollow', 'full', 'diamond'] as const
export type PointMark = (typeof marks)[number]

/** Converts values to pixels. */
export type PlotScale = { x: (value: number) => number; y: (value: number) => number }

type BareProps = {
  label: string
  x: Axis
  y: Axis
  /** Lines, bars and similar shapes. */
  children?: (scale: PlotScale) => ReactNode
}

type Props = BareProps & {
  points: PlotPoints
  /** The text about a point. */
  card: (index: number) => ReactNode
}

const HEIGHT = 360
const ROOM = { left: 60, right: 16, top: 12, bottom: 52 }
/** The width in tests, which have no layout. */
const WIDTH = 560

/** A plot without points, such as a bar chart. */
export function BarePlot({ label, x, y, children }: BareProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const scale = scaleOf({ x, y, width })
  return (
    <div
      ref={frame}
      className={classes.plot}
      style={{ height: HEIGHT }}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its text keeps its size, which an image's does not
      role="img"
      aria-label={label}
    >
      <Ground {...{ x, y, width, scale }}>{children?.(scale)}</Ground>
    </div>
  )
}

export function Plot({ label, x, y, points, card, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const scale = scaleOf({ x, y, width })
  const count = points.x.length
  const placeOf = (index: number): Place => [
    scale.x(points.x[index] ?? 0),
    scale.y(points.y[index] ?? 0),
  ]
  const { active, ...handlers } = useActivePoint({ count, placeOf })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows walk through its points
    <div
      ref={frame}
      className={classes.plot}
      style={{ height: HEIGHT }}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for a form
      role="group"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the points are reached by keyboard
      tabIndex={0}
      {...handlers}
    >
      <Ground {...{ x, y, width, scale }}>{children?.(scale)}</Ground>
      <Dots {...{ points, x, y, width }} />
      <ActiveCard place={active === null ? null : placeOf(active)} width={width}>
        {active !== null && card(active)}
      </ActiveCard>
    </div>
  )
}

function scaleOf({ x, y, width }: { x: Axis; y: Axis; width: number }): PlotScale {
  const across = (width - ROOM.left - ROOM.right) / (x.to - x.from)
  const upwards = (HEIGHT - ROOM.top - ROOM.bottom) / (y.to - y.from)
  return {
    x: (value) => ROOM.left + (value - x.from) * across,
    y: (value) => HEIGHT - ROOM.bottom - (value - y.from) * upwards,
  }
}

function useWidth(frame: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(WIDTH)
  useEffect(() => {
    const element = frame.current
    if (element === null || !('ResizeObserver' in window)) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth || WIDTH))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  return width
}

type AxesProps = { x: Axis; y: Axis; width: number; scale: PlotScale }

function Ground({ children, ...axes }: AxesProps & { children: ReactNode }) {
  return (
    <svg width={axes.width} height={HEIGHT} aria-hidden="true">
      <Axes {...axes} />
      {children}
    </svg>
  )
}

const TICK_PX_MIN = 44

function Axes({ x, y, width, scale }: AxesProps) {
  const [left, right] = [ROOM.left, width - ROOM.right]
  const [top, bottom] = [ROOM.top, HEIGHT - ROOM.bottom]
  const across = ticksOf(x)
  // On a narrow page only every second tick, or fewer, has a number.
  const every = Math.ceil((TICK_PX_MIN * across.length) / (right - left))
  return (
    <>
      {across.map((tick, at) => (
        <g key={tick}>
          <line
            className={classes.grid}
            x1={scale.x(tick)}
            x2={scale.x(tick)}
            y1={top}
            y2={bottom}
          />
          {at % every === 0 && (
            <text x={scale.x(tick)} y={bottom + 18} textAnchor="middle">
              {wordTick(tick)}
            </text>
          )}
        </g>
      ))}
      {ticksOf(y).map((tick) => (
        <g key={tick}>
          <line
            className={classes.grid}
            x1={left}
            x2={right}
            y1={scale.y(tick)}
            y2={scale.y(tick)}
          />
          <text x={left - 8} y={scale.y(tick) + 4} textAnchor="end">
            {wordTick(tick)}
          </text>
        </g>
      ))}
      <path className={classes.axis} d={`M${left} ${top}V${bottom}H${right}`} />
      <text className={classes.title} x={(left + right) / 2} y={HEIGHT - 10} textAnchor="middle">
        {x.title}
      </text>
      <text
        className={classes.title}
        transform={`translate(14 ${(top + bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
      >
        {y.title}
      </text>
    </>
  )
}

type DotsProps = Pick<Props, 'points' | 'x' | 'y'> & { width: number }

function Dots({ points, x, y, width }: DotsProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scheme = useColorScheme()
  useEffect(() => {
    const surface = canvas.current
    if (surface === null || points.x.length === 0) return
    surface.width = Math.round(width * devicePixelRatio)
    surface.height = Math.round(HEIGHT * devicePixelRatio)
    const context = surface.getContext('2d')
    if (context === null) return
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    drawDots(context, points, {
      scale: scaleOf({ x, y, width }),
      style: getComputedStyle(surface),
    })
  }, [points, x, y, width, scheme])
  if (points.x.length === 0) return null
  return <canvas ref={canvas} className={classes.dots} aria-hidden="true" />
}

const [MANY, VERY_MANY] = [500, 5000]

function drawDots(
  context: CanvasRenderingContext2D,
  { x, y, markOf = () => 'full' }: PlotPoints,
  { scale, style }: { scale: PlotScale; style: CSSStyleDeclaration },
) {
  const role = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const radius = x.length > VERY_MANY ? 1.5 : x.length > MANY ? 3 : 4.5
  context.globalAlpha = x.length > MANY ? 0.5 : 1
  context.lineWidth = 1.5
  const colours = {
    faint: role('ink-3'),
    hollow: role('ink-2'),
    full: role('band-edge'),
    diamond: role('ink'),
  }
  const marked = Array.from(x, (_, index) => markOf(index))
  for (const mark of marks) {
    context.strokeStyle = context.fillStyle = colours[mark]
    for (const [index, value] of x.entries()) {
      const place: Place = [scale.x(value), scale.y(y[index] ?? 0)]
      if (marked[index] === mark) drawMark(context, { mark, place, radius })
    }
  }
}

type Mark = { mark: PointMark; place: Place; radius: number }

/** The shape differs as well as the colour. */
function drawMark(context: CanvasRenderingContext2D, { mark, place: [x, y], radius }: Mark) {
  context.beginPath()
  if (mark === 'diamond') {
    const reach = radius * 1.3
    context.moveTo(x, y - reach)
    context.lineTo(x + reach, y)
    context.lineTo(x, y + reach)
    context.lineTo(x - reach, y)
  } else {
    context.arc(x, y, radius, 0, 2 * Math.PI)
  }
  if (mark === 'faint' || mark === 'hollow') context.stroke()
  else context.fill()
}

type ActiveCardProps = { place: Place | null; width: number; children: ReactNode }

/** Maximum width, as in the style sheet. */
const CARD_PX = 220

/** Next to the point, on the side that has room; within the plot on a phone. */
function ActiveCard({ place, width, children }: ActiveCardProps) {
  const [x, y] = place ?? [0, 0]
  const side =
    x > width / 2
      ? { right: Math.min(width - x + 14, Math.max(0, width - CARD_PX)) }
      : { left: Math.min(x + 14, Math.max(0, width - CARD_PX)) }
  const end = y > HEIGHT / 2 ? { bottom: HEIGHT - y - 8 } : { top: y - 8 }
  return (
    <>
      {place && <span className={classes.ring} style={{ left: x, top: y }} />}
      <output
        className={place ? classes.card : 'visually-hidden'}
        style={place ? { ...side, ...end } : {}}
      >
        {children}
      </output>
    </>
  )
}
