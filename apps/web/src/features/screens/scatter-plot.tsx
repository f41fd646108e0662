/** Two columns of a screen against each other: a point per pair, and a card for the active one. */
import { Box, ColumnGrid } from '#web/ui/layout.ts'
import type { DomainState } from '@pkdex/contract'
import { type ReactNode, useMemo, useState } from 'react'
import { shortenMeasured } from '#web/lib/affinity-unit.ts'
import { axisOf, wordTick } from '#web/ui/axis.ts'
import { largeCountOf } from '#web/lib/format.ts'
import { Select } from '#web/ui/field.tsx'
import { MeasuredMark } from '#web/ui/measured-mark.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Plot, type PlotPoints, type PlotScale, type PointMark } from '#web/ui/plot.tsx'
import { bandOf, type Column, columnsOf, pointsOf } from './scatter-columns.ts'
import { LleLines } from './lle-lines.tsx'
import classes from './screen-charts.module.css'
import { type GridDetails, pkdAt, titleOf } from './screen-matrix.ts'

type Props = {
  details: GridDetails
  drawSmiles: ((smiles: string) => ReactNode) | null
}

export function ScatterPlot({ details, drawSmiles }: Props) {
  const columns = useMemo(() => columnsOf(details), [details])
  const [ids, setIds] = useState({ x: 'compound_similarity', y: 'best_kd' })
  const [x, y] = [ids.x, ids.y].map((id) => columns.find((each) => each.id === id) ?? columns[0])
  const drawn = useMemo(() => (x && y ? drawnOf(details, x, y) : null), [details, x, y])
  if (!x || !y || !drawn) return null
  const options = columns.map(({ id, label }) => ({ value: id, label }))
  const count = largeCountOf(drawn.places.length, 'point')
  return (
    <Panel title="Scatter plot">
      <ColumnGrid template="repeat(auto-fit, minmax(180px, 1fr))" gap="sm" mb="md">
        <Select
          label="X axis"
          value={x.id}
          options={options}
          onChange={(id) => setIds({ ...ids, x: id })}
        />
        <Select
          label="Y axis"
          value={y.id}
          options={options}
          onChange={(id) => setIds({ ...ids, y: id })}
        />
      </ColumnGrid>
      <Plot
        {...drawn}
        label={`${y.label} against ${x.label}, ${count}. The arrow keys go from point to point.`}
        card={(index) => (
          <PointCard {...{ details, drawSmiles, x, y }} place={drawn.places[index] ?? 0} />
        )}
      >
        {(scale) => (
          <>
            {drawn.isSamePkd && (
              <Equal axis={drawn.x} other={drawn.y} band={drawn.band} scale={scale} />
            )}
            {isPotencyByLogP(x, y) && <LleLines x={drawn.x} y={drawn.y} scale={scale} />}
            {drawn.measured.map((one) => (
              <MeasuredPoint key={one.place} {...one} scale={scale} />
            ))}
          </>
        )}
      </Plot>
      {drawn.measured.length > 0 && (
        <Box component="p" c="var(--ink-2)" fz="sm">
          ◆ measured
        </Box>
      )}
      {drawn.band !== null && (
        <Box
          component="p"
          c="var(--ink-2)"
          fz="sm"
        >{`Band: differences within error (± ${drawn.band.toFixed(1)})`}</Box>
      )}
    </Panel>
  )
}

function isPotencyByLogP(x: Column, y: Column): boolean {
  return x.id === 'log_p' && (['best_kd', 'measured_pk'].includes(y.id) || targetOf(y.id) !== null)
}

const marks: Record<DomainState, PointMark> = {
  known_on_target: 'full',
  known_on_other_targets: 'hollow',
  outside: 'faint',
}

function drawnOf(details: GridDetails, x: Column, y: Column) {
  const { places, states, ...found } = pointsOf(details, x, y)
  const points: PlotPoints = { ...found, markOf: (index) => marks[states[index] ?? 'outside'] }
  const targets = [x, y].map(({ id }) => targetOf(id))
  const [one, other] = targets
  const measured = measuredOf(details, points, { places, y })
  const heights = measured.map(({ to }) => to)
  return {
    points,
    places,
    measured,
    x: axisOf(points.x, x.label),
    y: axisOf([...points.y, ...heights], y.label),
    isSamePkd: targets.every((target) => target !== null),
    band: one != null && other != null ? bandOf(details, one, other) : null,
  }
}

/** If the Y axis is a predicted pKd: the measured value, on the same axis. */
function measuredOf(
  { grid, measured }: GridDetails,
  points: PlotPoints,
  { places, y }: { places: Uint32Array; y: Column },
) {
  const target = targetOf(y.id)
  if (measured.size === 0 || (y.id !== 'best_kd' && target === null)) return []
  return [...places].flatMap((place, at) => {
    const column = place % grid.targets.length
    const to = measured.get(target === null ? place : place - column + target)
    if (to === undefined) return []
    return [{ place, x: points.x[at] ?? 0, from: points.y[at] ?? 0, to }]
  })
}

type MeasuredPointProps = ReturnType<typeof measuredOf>[number] & { scale: PlotScale }

/** A diamond at the measured value, joined to the prediction. */
function MeasuredPoint({ x, from, to, scale }: MeasuredPointProps) {
  const [atX, atY] = [scale.x(x), scale.y(to)]
  return (
    <g className={classes.measured}>
      <line x1={atX} x2={atX} y1={scale.y(from)} y2={atY} />
      <path d={`M${atX} ${atY - 5}l5 5l-5 5l-5 -5Z`} />
    </g>
  )
}

/** The index of a target that is an axis. */
function targetOf(id: string): number | null {
  const [, place] = /^target (\d+)$/.exec(id) ?? []
  return place === undefined ? null : Number(place)
}

type Ends = { from: number; to: number }
type EqualProps = { axis: Ends; other: Ends; band: number | null; scale: PlotScale }

/** The line of equal pKd on both targets, and the band in which a difference is within error. */
function Equal({ axis, other, band, scale }: EqualProps) {
  const [from, to] = [Math.max(axis.from, other.from), Math.min(axis.to, other.to)]
  if (from >= to) return null
  const corners = [
    [from, from + (band ?? 0)],
    [to, to + (band ?? 0)],
    [to, to - (band ?? 0)],
    [from, from - (band ?? 0)],
  ]
  const points = corners.map(([x = 0, y = 0]) => {
    const within = Math.min(other.to, Math.max(other.from, y))
    return `${scale.x(x)},${scale.y(within)}`
  })
  return (
    <>
      {band !== null && <polygon className={classes.band} points={points.join(' ')} />}
      <line
        className={classes.equal}
        x1={scale.x(from)}
        y1={scale.y(from)}
        x2={scale.x(to)}
        y2={scale.y(to)}
      />
    </>
  )
}

type PointCardProps = Props & { place: number; x: Column; y: Column }

function PointCard({ details, drawSmiles, place, x, y }: PointCardProps) {
  const { grid, smiles } = details
  const own = details.measured.get(place)
  const column = place % grid.targets.length
  const row = (place - column) / grid.targets.length
  const compound = grid.compounds[row] ?? ''
  const isByCompound = [x, y].every(({ id }) => id.startsWith('target '))
  const pkd = pkdAt(grid, place)
  const facts = [x, y].filter(({ id }) => id !== 'best_kd' && id !== 'measured_pk')
  return (
    <>
      {drawSmiles && <Box w={180}>{drawSmiles(smiles[row] ?? '')}</Box>}
      <p>
        <b>{compound}</b>
        {!isByCompound && <span className="quiet"> {titleOf(grid, column)}</span>}
      </p>
      {!isByCompound && pkd !== null && <p>pKd {pkd.toFixed(1)}</p>}
      {!isByCompound && own !== undefined && (
        <p>
          <MeasuredMark>{shortenMeasured(own, 'pKd')}</MeasuredMark>
        </p>
      )}
      {facts.map(({ id, label, valueAt }) => (
        <p key={id} className="quiet">
          {label}: {wordTick(Number((valueAt(place) ?? 0).toFixed(1)))}
        </p>
      ))}
    </>
  )
}
