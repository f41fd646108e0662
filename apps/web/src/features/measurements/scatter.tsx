/** Plots measured (x) against predicted (y) values with the diagonal of equality; the table lists the same values. */
import { Box, Flex } from '#web/ui/layout.ts'
import type { ComparedMeasurement } from '@pkdex/contract'
import { type ReactNode, useMemo } from 'react'
import { countOf } from '#web/lib/format.ts'
import type { Axis } from '#web/ui/axis.ts'
import { Plot, type PlotScale } from '#web/ui/plot.tsx'
import classes from './scatter.module.css'

/** A compound that was predicted. */
export type ComparedPair = ComparedMeasurement & {
  [side in 'without_own' | 'with_own']: NonNullable<ComparedMeasurement[side]>
}

/** Returns a function that draws any molecule of the list; null if no structures are wanted. */
export type UseDrawSmiles = (smiles: readonly string[]) => ((smiles: string) => ReactNode) | null

type Props = {
  compared: ComparedPair[]
  useDrawSmiles: UseDrawSmiles
}

export function Scatter({ compared, useDrawSmiles }: Props) {
  const molecules = useMemo(() => compared.map(({ smiles }) => smiles), [compared])
  const drawSmiles = useDrawSmiles(molecules)
  const range = rangeOf(compared)
  const points = {
    x: Float64Array.from(compared, ({ pk }) => pk),
    y: Float64Array.from(compared, ({ with_own }) => with_own.predicted),
  }
  return (
    <Box component="figure" maw={520}>
      <Plot
        label={`Predicted vs measured pK for ${countOf(compared.length, 'compound')}. The table below lists the values.`}
        x={{ ...range, title: 'Measured pK' }}
        y={{ ...range, title: 'Predicted pK' }}
        points={points}
        card={(index) => <PairCard one={compared[index]} drawSmiles={drawSmiles} />}
      >
        {(scale) => (
          <>
            <line
              className={classes.identity}
              x1={scale.x(range.from)}
              y1={scale.y(range.from)}
              x2={scale.x(range.to)}
              y2={scale.y(range.to)}
            />
            {compared.map((one) => (
              <Pair key={one.id} one={one} scale={scale} />
            ))}
          </>
        )}
      </Plot>
      <Flex
        component="figcaption"
        className="small quiet"
        wrap="wrap"
        rowGap={4}
        columnGap="md"
        pl={40}
      >
        <span className={classes.without}>without your values</span>
        <span className={classes.with}>leave-one-out</span>
        <span className={classes.same}>perfect agreement</span>
      </Flex>
    </Box>
  )
}

type PairCardProps = {
  drawSmiles: ReturnType<UseDrawSmiles>
  one: ComparedPair | undefined
}

function PairCard({ one, drawSmiles }: PairCardProps) {
  if (one === undefined) return null
  const { compound, smiles, pk, bound, without_own, with_own } = one
  const sign = bound === null ? '' : { upper: '< ', lower: '> ' }[bound]
  return (
    <>
      {drawSmiles && <Box w={180}>{drawSmiles(smiles)}</Box>}
      <b>{compound}</b>
      <p>{`Measured ${sign}${pk.toFixed(2)}`}</p>
      <p>{`Predicted ${without_own.predicted.toFixed(2)}, leave-one-out ${with_own.predicted.toFixed(2)}`}</p>
    </>
  )
}

/** Joins the point to the prediction without own values; an arrow on a bound points to where the true value lies. */
function Pair({ one, scale }: { one: ComparedPair; scale: PlotScale }) {
  const { pk, bound, without_own, with_own } = one
  const [x, before, after] = [
    scale.x(pk),
    scale.y(without_own.predicted),
    scale.y(with_own.predicted),
  ]
  const side = { upper: -1, lower: 1 }
  return (
    <g>
      <line className={classes.move} x1={x} x2={x} y1={before} y2={after} />
      {bound !== null && (
        <line className={classes.bound} x1={x} x2={x + 14 * side[bound]} y1={after} y2={after} />
      )}
      <circle className={classes.hollow} cx={x} cy={before} r={4.5} />
    </g>
  )
}

/** The same range on both axes, in whole pK units, at least two wide. */
function rangeOf(compared: ComparedPair[]): Omit<Axis, 'title'> {
  const all = compared.flatMap(({ pk, without_own, with_own }) => [
    pk,
    without_own.predicted,
    with_own.predicted,
  ])
  const from = Math.floor(Math.min(...all))
  return { from, to: Math.max(Math.ceil(Math.max(...all)), from + 2), step: 1 }
}
