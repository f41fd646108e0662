/** Two columns of a screen against each other, a dot a pair, on a canvas because they may be many. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { largeCountOf } from '#web/lib/format.ts'
import { Select } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useColorScheme } from '#web/ui/theme/theme-provider.tsx'
import { axisOf, columnsOf, type Points, pointsOf } from './scatter-columns.ts'
import classes from './screen-charts.module.css'
import type { GridDetails } from './screen-matrix.ts'

const [HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [320, 52, 28, 12, 16]

export function ScatterPlot({ details }: { details: GridDetails }) {
  const columns = useMemo(() => columnsOf(details), [details])
  const [ids, setIds] = useState({ x: 'compound', y: 'pkd' })
  const [x, y] = [ids.x, ids.y].map((id) => columns.find((each) => each.id === id) ?? columns[0])
  const points = useMemo(() => (x && y ? pointsOf(details, x, y) : null), [details, x, y])
  if (!x || !y || !points) return null
  const options = columns.map(({ id, label }) => ({ value: id, label }))
  const count = largeCountOf(points.places.length, 'point')
  return (
    <Panel title="Any two columns">
      <div className={classes.selects}>
        <Select
          label="Across"
          value={x.id}
          options={options}
          onChange={(id) => setIds({ ...ids, x: id })}
        />
        <Select
          label="Upwards"
          value={y.id}
          options={options}
          onChange={(id) => setIds({ ...ids, y: id })}
        />
      </div>
      <Dots points={points} label={`${y.label} against ${x.label}, ${count}`} />
      <p className={classes.key}>
        <span data-series="0" /> inside the domain <span data-series="1" /> outside it, {count}
      </p>
    </Panel>
  )
}

function Dots({ points, label }: { points: Points; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scheme = useColorScheme()
  useEffect(() => {
    const surface = canvas.current
    const context = surface?.getContext('2d')
    if (!surface || !context) return
    const draw = () => {
      const width = surface.clientWidth
      surface.width = Math.round(width * devicePixelRatio)
      surface.height = Math.round(HEIGHT * devicePixelRatio)
      context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
      drawDots(context, points, { width, style: getComputedStyle(surface) })
    }
    const observer = new ResizeObserver(draw)
    observer.observe(surface)
    return () => observer.disconnect()
  }, [points, scheme])
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image element cannot be drawn on
    <canvas ref={canvas} className={classes.dots} role="img" aria-label={label} />
  )
}

type Room = { width: number; style: CSSStyleDeclaration }

function drawDots(context: CanvasRenderingContext2D, points: Points, { width, style }: Room) {
  const role = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const [across, upwards] = [axisOf(points.x), axisOf(points.y)]
  const atX = (value: number) =>
    LEFT + ((value - across.from) / (across.to - across.from)) * (width - LEFT - RIGHT)
  const atY = (value: number) =>
    HEIGHT -
    BOTTOM -
    ((value - upwards.from) / (upwards.to - upwards.from)) * (HEIGHT - TOP - BOTTOM)
  context.clearRect(0, 0, width, HEIGHT)
  context.font = `12px ${style.fontFamily}`
  context.strokeStyle = role('line')
  context.fillStyle = role('ink-2')
  for (const tick of ticksOf(across)) {
    context.textAlign = 'center'
    context.fillText(words(tick), atX(tick), HEIGHT - BOTTOM + 18)
    line(context, [atX(tick), TOP], [atX(tick), HEIGHT - BOTTOM])
  }
  for (const tick of ticksOf(upwards)) {
    context.textAlign = 'right'
    context.fillText(words(tick), LEFT - 8, atY(tick) + 4)
    line(context, [LEFT, atY(tick)], [width - RIGHT, atY(tick)])
  }
  const radius = points.places.length > 5000 ? 1.5 : 3
  context.globalAlpha = points.places.length > 500 ? 0.5 : 0.85
  for (const isInside of [true, false]) {
    context.fillStyle = role(isInside ? 'series-0' : 'series-1')
    points.places.forEach((_, index) => {
      if (points.isInside[index] !== isInside) return
      const [x, y] = [atX(points.x[index] ?? 0), atY(points.y[index] ?? 0)]
      context.beginPath()
      // The shape differs as well as the colour.
      if (isInside) context.arc(x, y, radius, 0, 2 * Math.PI)
      else context.rect(x - radius, y - radius, 2 * radius, 2 * radius)
      context.fill()
    })
  }
  context.globalAlpha = 1
}

type Place = [x: number, y: number]

function line(context: CanvasRenderingContext2D, from: Place, to: Place) {
  context.beginPath()
  context.moveTo(...from)
  context.lineTo(...to)
  context.stroke()
}

function ticksOf({ from, to, step }: { from: number; to: number; step: number }): number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step)
}

/** With a true minus, and without the dust of binary fractions. */
function words(value: number): string {
  return `${Number(value.toPrecision(6))}`.replace('-', '−')
}
