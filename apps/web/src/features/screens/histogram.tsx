/** How many pairs there are at each pKd, by domain state. */
import type { DomainState } from '@pkdex/contract'
import { useMemo } from 'react'
import { domainStates, domainTitles } from '#web/lib/domain-states.ts'
import { axisOf, countAxisOf } from '#web/ui/axis.ts'
import { Panel } from '#web/ui/panel.tsx'
import { BarePlot } from '#web/ui/plot.tsx'
import classes from './screen-charts.module.css'
import { domainStateAt, pkdAt, type ScreenGrid } from './screen-matrix.ts'

type Bin = { from: number } & Record<DomainState, number>
type Bins = { perPkd: number; bins: Bin[] }

const noPairs = { known_on_target: 0, known_on_other_targets: 0, outside: 0 }

/**
 * From the first to the last non-empty bin. A narrow range has narrow bins: 0.1, 0.25 or 0.5 pKd.
 * Index loops on purpose: a running screen with half a million pairs is counted again with each
 * block.
 */
export function binNumbers(grid: ScreenGrid): Bins {
  let [lowest, highest] = [Infinity, -Infinity]
  for (let place = 0; place < grid.steps.length; place += 1) {
    const pkd = pkdAt(grid, place)
    if (pkd === null) continue
    if (pkd < lowest) lowest = pkd
    if (pkd > highest) highest = pkd
  }
  const perPkd = binsPerPkd(highest - lowest)
  if (lowest > highest) return { perPkd, bins: [] }
  const binOf = (pkd: number) => Math.floor(pkd * perPkd + ROUNDING)
  const first = binOf(lowest)
  const bins = Array.from({ length: binOf(highest) - first + 1 }, (_, at) => ({
    from: (first + at) / perPkd,
    ...noPairs,
  }))
  for (let place = 0; place < grid.steps.length; place += 1) {
    const pkd = pkdAt(grid, place)
    const bin = pkd === null ? undefined : bins[binOf(pkd) - first]
    if (bin !== undefined) bin[domainStateAt(grid, place)] += 1
  }
  return { perPkd, bins }
}

/** Larger than the rounding error of a product, smaller than the difference of two predictions. */
const ROUNDING = 1e-6

function binsPerPkd(range: number): number {
  if (range <= 2) return 10
  return range <= 4 ? 4 : 2
}

export function Histogram({ grid }: { grid: ScreenGrid }) {
  const { perPkd, bins } = useMemo(() => binNumbers(grid), [grid])
  return (
    <Panel title="Distribution of predicted pKd">
      {bins.length === 0 ? (
        <p className="quiet">No predictions yet.</p>
      ) : (
        <Bars {...{ perPkd, bins }} />
      )}
    </Panel>
  )
}

function Bars({ perPkd, bins }: Bins) {
  const width = 1 / perPkd
  const x = axisOf([bins[0]?.from ?? 0, (bins.at(-1)?.from ?? 0) + width], 'Predicted pKd')
  const highest = Math.max(...bins.map(countIn))
  const y = countAxisOf(highest, 'Pairs')
  return (
    <BarePlot label={describeBins({ perPkd, bins })} x={x} y={y}>
      {(scale) =>
        bins.map((bin) => {
          const { from } = bin
          const across = { x: scale.x(from) + 1, width: scale.x(from + width) - scale.x(from) - 2 }
          let below = 0
          return (
            <g key={from}>
              <title>{describeBin(bin, Number((from + width).toFixed(2)))}</title>
              {domainStates.map((state) => {
                const [low, high] = [scale.y(below), scale.y(below + bin[state])]
                below += bin[state]
                return (
                  <rect
                    key={state}
                    {...across}
                    className={classes.bar}
                    data-state={state}
                    y={high}
                    height={low - high}
                  />
                )
              })}
            </g>
          )
        })
      }
    </BarePlot>
  )
}

function describeBins({ perPkd, bins }: Bins): string {
  const parts = bins.map((bin) => `${bin.from}: ${countIn(bin)}`)
  return `Number of pairs per bin of ${1 / perPkd} pKd, by lower edge: ${parts.join(', ')}`
}

function describeBin(bin: Bin, to: number): string {
  const parts = domainStates.filter((state) => bin[state] > 0)
  const named = parts.map((state) => `${bin[state]} ${domainTitles[state].toLowerCase()}`)
  return `pKd ${bin.from} to ${to}: ${named.join(', ')}`
}

function countIn(bin: Bin): number {
  return bin.known_on_target + bin.known_on_other_targets + bin.outside
}
