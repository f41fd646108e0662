/**
 * The scale from 2 to 12: the fixed interval as a band in the track, the model's own as a line above it,
 * the value as a dot that cuts a notch. It keeps its place in every state, empty ones included.
 */
import type { CSSProperties } from 'react'
import { formatKd, formatPkd, wordOf } from './affinity.ts'
import styles from './affinity-scale.module.css'
import { fixedBounds, formatBounds } from './intervals.ts'
import type { Prediction } from './reading.ts'
import { bandLabels, positionOf, SCALE_MAX, SCALE_MIN, spanOf } from './scale-marks.ts'

const words = [
  { word: 'weak', from: SCALE_MIN },
  { word: 'moderate', from: 6 },
  { word: 'strong', from: 8 },
] as const

const units = Array.from({ length: SCALE_MAX - SCALE_MIN + 1 }, (_, index) => SCALE_MIN + index)

export function AffinityScale({ prediction }: { prediction: Prediction | null }) {
  return (
    <div
      className={styles.scale}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in CSS, there is no file
      role="img"
      aria-label={describe(prediction)}
    >
      {words.map(({ word, from }) => (
        <span
          key={word}
          className={styles.zone}
          data-on={prediction !== null && wordOf(prediction.pkd) === word}
          style={at(from)}
        >
          {word}
        </span>
      ))}
      <span className={styles.track} />
      {prediction !== null && <Marks prediction={prediction} />}
      <span className={styles.axis} />
      {units.map((pkd) => (
        <Tick key={pkd} pkd={pkd} />
      ))}
    </div>
  )
}

function Marks({ prediction: { pkd, details } }: { prediction: Prediction }) {
  const fixed = fixedBounds(pkd)
  const labels = bandLabels(pkd, fixed)
  const band = spanOf(fixed)
  const own = details && spanOf(details.interval)
  return (
    <>
      <span className={styles.band} style={span(band)} data-cut={cutOf(band)}>
        {labels.lower && <span>{formatPkd(fixed.lower)}</span>}
        {labels.upper && <span className={styles.upper}>{formatPkd(fixed.upper)}</span>}
      </span>
      {own && <span className={styles.own} style={span(own)} data-cut={cutOf(own)} />}
      <span className={styles.dot} style={at(pkd)} />
    </>
  )
}

function Tick({ pkd }: { pkd: number }) {
  const isLabelled = pkd % 2 === 0
  return (
    <>
      <span className={styles.tick} data-major={isLabelled} style={at(pkd)} />
      {isLabelled && (
        <span className={styles.label} style={at(pkd)}>
          {pkd}
          <small>{roundKd(pkd)}</small>
        </span>
      )}
    </>
  )
}

function describe(prediction: Prediction | null): string {
  const scale = `scale from ${SCALE_MIN} to ${SCALE_MAX}`
  if (prediction === null) return `pKd ${scale}, no reading`
  const { pkd, details } = prediction
  const own = details ? ` Model’s own interval ${formatBounds(details.interval)}.` : ''
  const value = `pKd ${formatPkd(pkd)} on a ${scale}, ${wordOf(pkd)}.`
  return `${value} Fixed band ${formatBounds(fixedBounds(pkd))}.${own}`
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
