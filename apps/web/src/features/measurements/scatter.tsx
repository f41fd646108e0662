/** Measured values across, predicted ones upwards; on the diagonal both are the same. The table holds the same numbers. */
import type { ComparedMeasurement } from '@pkdex/contract'
import classes from './scatter.module.css'

const SIZE = 360
const EDGE = 40
const PLOT = SIZE - EDGE - 12

export function Scatter({ compared }: { compared: ComparedMeasurement[] }) {
  const [low, high] = rangeOf(compared)
  const place = (pk: number) => ((pk - low) / (high - low)) * PLOT
  const x = (pk: number) => EDGE + place(pk)
  const y = (pk: number) => SIZE - EDGE - place(pk)
  const ticks = Array.from({ length: high - low + 1 }, (_, at) => low + at)
  return (
    <figure className={classes.figure}>
      <svg
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        role="img"
        aria-label={`Predicted against measured pK of ${compared.length} compounds; the table below holds the numbers.`}
      >
        {ticks.map((pk) => (
          <g key={pk}>
            <line className={classes.grid} x1={x(pk)} x2={x(pk)} y1={y(low)} y2={y(high)} />
            <line className={classes.grid} x1={x(low)} x2={x(high)} y1={y(pk)} y2={y(pk)} />
            <text x={x(pk)} y={SIZE - EDGE + 16} textAnchor="middle">
              {pk}
            </text>
            <text x={EDGE - 8} y={y(pk) + 4} textAnchor="end">
              {pk}
            </text>
          </g>
        ))}
        <line className={classes.identity} x1={x(low)} y1={y(low)} x2={x(high)} y2={y(high)} />
        {compared.map((one) => (
          <Pair key={one.id} one={one} x={x} y={y} />
        ))}
        <text x={EDGE + PLOT / 2} y={SIZE - 6} textAnchor="middle">
          Measured pK
        </text>
        <text transform={`translate(11 ${SIZE - EDGE - PLOT / 2}) rotate(-90)`} textAnchor="middle">
          Predicted pK
        </text>
      </svg>
      <figcaption className="small quiet">
        <span className={classes.without}>without your values</span>
        <span className={classes.with}>with your others</span>
        <span className={classes.same}>predicted as measured</span>
      </figcaption>
    </figure>
  )
}

type PairProps = {
  one: ComparedMeasurement
  x: (pk: number) => number
  y: (pk: number) => number
}

/** Both numbers of a compound, joined by a line; a bound has an arrow to the side where its value lies. */
function Pair({ one: { compound, pk, bound, without_own, with_own }, x, y }: PairProps) {
  const [before, after] = [y(without_own.predicted), y(with_own.predicted)]
  const side = { upper: -1, lower: 1 }
  return (
    <g>
      <title>{`${compound}: measured ${pk.toFixed(2)}, predicted ${without_own.predicted.toFixed(2)}, with your others ${with_own.predicted.toFixed(2)}`}</title>
      <line className={classes.move} x1={x(pk)} x2={x(pk)} y1={before} y2={after} />
      {bound !== null && (
        <line
          className={classes.bound}
          x1={x(pk)}
          x2={x(pk) + 14 * side[bound]}
          y1={after}
          y2={after}
        />
      )}
      <circle className={classes.hollow} cx={x(pk)} cy={before} r={4.5} />
      <circle className={classes.filled} cx={x(pk)} cy={after} r={4.5} />
    </g>
  )
}

/** Whole pK, the same on both axes; at least two apart. */
function rangeOf(compared: ComparedMeasurement[]): [low: number, high: number] {
  const all = compared.flatMap(({ pk, without_own, with_own }) => [
    pk,
    without_own.predicted,
    with_own.predicted,
  ])
  const low = Math.floor(Math.min(...all))
  return [low, Math.max(Math.ceil(Math.max(...all)), low + 2)]
}
