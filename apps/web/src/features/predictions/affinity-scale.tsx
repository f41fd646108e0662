/**
 * The scale from 2 to 12: the fixed interval as a band in the track, the model's interval as a line
 * above it, the value as a dot with a notch. It stays in place in every state, also when empty.
 */
import type { CSSProperties } from 'react'
import classes from './affinity-scale.module.css'
import {
  type Bounds,
  fixedBounds,
  formatBounds,
  formatKd,
  measuredPk,
  formatPkd,
  wordOf,
} from '#web/lib/affinity.ts'
import type { Prediction } from './prediction-state.ts'

const SCALE_MIN = 2
const SCALE_MAX = 12

const words = [
  { word: 'weak', from: SCALE_MIN },
  { word: 'moderate', from: 6 },
  { word: 'strong', from: 8 },
] as const

const units = Array.from({ length: SCALE_MAX - SCALE_MIN + 1 }, (_, index) => SCALE_MIN + index)

export function AffinityScale({ prediction }: { prediction: Prediction | null }) {
  return (
    <div
      className={classes.scale}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in CSS, there is no file
      role="img"
      aria-label={describe(prediction)}
    >
      {words.map(({ word, from }) => (
        <span
          key={word}
          className={classes.zone}
          data-on={prediction !== null && wordOf(prediction.pkd) === word}
          style={at(from)}
        >
          {word}
        </span>
      ))}
      <span className={classes.track} />
      {prediction !== null && <Marks prediction={prediction} />}
      <span className={classes.axis} />
      {units.map((pkd) => (
        <Tick key={pkd} pkd={pkd} />
      ))}
    </div>
  )
}

function Marks({ prediction: { pkd, interval, details } }: { prediction: Prediction }) {
  const fixed = fixedBounds(pkd)
  const measured = measuredPk(details)
  const labels = measured === null ? bandLabels(pkd, fixed) : { lower: false, upper: false }
  const band = spanOf(fixed)
  const own = interval && spanOf(interval)
  return (
    <>
      <span className={classes.band} style={span(band)} data-cut={cutOf(band)}>
        {labels.lower && <span>{formatPkd(fixed.lower)}</span>}
        {labels.upper && <span className={classes.upper}>{formatPkd(fixed.upper)}</span>}
      </span>
      {own && <span className={classes.own} style={span(own)} data-cut={cutOf(own)} />}
      {measured !== null && <span className={classes.measured} style={at(measured)} />}
      <span className={classes.dot} style={at(pkd)} />
    </>
  )
}

function Tick({ pkd }: { pkd: number }) {
  const isLabelled = pkd % 2 === 0
  return (
    <>
      <span className={classes.tick} data-major={isLabelled} style={at(pkd)} />
      {isLabelled && (
        <span className={classes.label} style={at(pkd)}>
          {pkd}
          <small>{roundKd(pkd)}</small>
        </span>
      )}
    </>
  )
}

function describe(prediction: Prediction | null): string {
  const scale = `scale from ${SCALE_MIN} to ${SCALE_MAX}`
  if (prediction === null) return `pKd ${scale}, no prediction`
  const { pkd, interval, details } = prediction
  const own = interval ? ` Prediction interval ${formatBounds(interval)}.` : ''
  const value = `pKd ${formatPkd(pkd)} on a ${scale}, ${wordOf(pkd)}.`
  const pk = measuredPk(details)
  const measured = pk === null ? '' : ` Measured ${formatPkd(pk)}.`
  return `${value} Fixed interval ${formatBounds(fixedBounds(pkd))}.${own}${measured}`
}

/** `100 µM` under a tick, not `100.0`. */
function roundKd(pkd: number): string {
  return formatKd(pkd).replace(/\.0+ /, ' ')
}

function at(pkd: number): CSSProperties {
  return { left: `${positionOf(pkd)}%` }
}

function span({ left, width }: { left: number; width: number }): CSSProperties {
  return { left: `${left}%`, width: `${width}%` }
}

function cutOf({ isCutLeft, isCutRight }: { isCutLeft: boolean; isCutRight: boolean }) {
  return [isCutLeft ? 'left' : '', isCutRight ? 'right' : ''].join(' ').trim() || undefined
}

type Span = {
  left: number
  width: number
  isCutLeft: boolean
  isCutRight: boolean
}

/** The position of a value on the scale, in percent. */
export function positionOf(pkd: number): number {
  const inside = Math.min(Math.max(pkd, SCALE_MIN), SCALE_MAX)
  return ((inside - SCALE_MIN) / (SCALE_MAX - SCALE_MIN)) * 100
}

/** An interval cut to the axis, and which ends were cut. */
export function spanOf({ lower, upper }: Bounds): Span {
  const left = positionOf(lower)
  return {
    left,
    width: positionOf(upper) - left,
    isCutLeft: lower < SCALE_MIN,
    isCutRight: upper > SCALE_MAX,
  }
}

/** Room needed for the number between an end of the band and the dot, in pKd. */
const LABEL_ROOM = 1.2

/** Whether the numbers at the ends of the band fit between the end and the dot. A cut end has none. */
export function bandLabels(
  pkd: number,
  { lower, upper }: Bounds,
): { lower: boolean; upper: boolean } {
  const dot = Math.min(Math.max(pkd, SCALE_MIN), SCALE_MAX)
  return {
    lower: lower >= SCALE_MIN && dot - lower >= LABEL_ROOM,
    upper: upper <= SCALE_MAX && upper - dot >= LABEL_ROOM,
  }
}
