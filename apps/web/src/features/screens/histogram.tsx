/** How many pairs there are at each pKd, inside and outside the model's domain. */
import { useMemo } from 'react'
import { Panel } from '#web/ui/panel.tsx'
import classes from './screen-charts.module.css'
import { isInDomainAt, pkdAt, type ScreenGrid } from './screen-matrix.ts'

const STEPS_PER_PKD = 2
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [560, 320, 52, 44, 12]

type Bin = { from: number; inside: number; outside: number }

/** Bins of half a pKd, from the first that holds something to the last. */
export function binNumbers(grid: ScreenGrid): Bin[] {
  const bins = new Map<number, Bin>()
  for (let place = 0; place < grid.steps.length; place += 1) {
    const pkd = pkdAt(grid, place)
    if (pkd === null) continue
    const from = Math.floor(pkd * STEPS_PER_PKD) / STEPS_PER_PKD
    const bin = bins.get(from) ?? { from, inside: 0, outside: 0 }
    bin[isInDomainAt(grid, place) ? 'inside' : 'outside'] += 1
    bins.set(from, bin)
  }
  if (bins.size === 0) return []
  const [first, last] = [Math.min(...bins.keys()), Math.max(...bins.keys())]
  return Array.from({ length: (last - first) * STEPS_PER_PKD + 1 }, (_, step) => {
    const from = first + step / STEPS_PER_PKD
    return bins.get(from) ?? { from, inside: 0, outside: 0 }
  })
}

export function Histogram({ grid }: { grid: ScreenGrid }) {
  const bins = useMemo(() => binNumbers(grid), [grid])
  const highest = Math.max(1, ...bins.map(({ inside, outside }) => inside + outside))
  return (
    <Panel title="All numbers">
      {bins.length === 0 ? (
        <p className="quiet">There are no numbers yet.</p>
      ) : (
        <>
          <Bars bins={bins} highest={highest} />
          <p className={classes.key}>
            <span data-series="0" /> inside the domain <span data-series="1" /> outside it
          </p>
        </>
      )}
    </Panel>
  )
}

function Bars({ bins, highest }: { bins: Bin[]; highest: number }) {
  const step = (WIDTH - LEFT) / bins.length
  const scale = (HEIGHT - TOP - BOTTOM) / highest
  const base = HEIGHT - BOTTOM
  const labelEvery = Math.ceil(bins.length / 10)
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={describeBins(bins)}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line
            className={classes.grid}
            x1={LEFT}
            x2={WIDTH}
            y1={base - share * highest * scale}
            y2={base - share * highest * scale}
          />
          <text x={LEFT - 8} y={base - share * highest * scale + 4} textAnchor="end">
            {Math.round(share * highest).toLocaleString('en')}
          </text>
        </g>
      ))}
      {bins.map(({ from, inside, outside }, index) => (
        <g key={from} transform={`translate(${LEFT + index * step} 0)`}>
          <title>{`pKd ${from} to ${from + 1 / STEPS_PER_PKD}: ${inside + outside}`}</title>
          <rect
            data-series="0"
            x={1}
            width={Math.max(1, step - 2)}
            y={base - inside * scale}
            height={inside * scale}
          />
          <rect
            data-series="1"
            x={1}
            width={Math.max(1, step - 2)}
            y={base - (inside + outside) * scale}
            height={outside * scale}
          />
          {index % labelEvery === 0 && (
            <text x={0} y={base + 18} textAnchor="middle">
              {from}
            </text>
          )}
        </g>
      ))}
      <text x={(WIDTH + LEFT) / 2} y={HEIGHT - 4} textAnchor="middle">
        pKd
      </text>
    </svg>
  )
}

function describeBins(bins: Bin[]): string {
  const parts = bins.map(({ from, inside, outside }) => `${from}: ${inside + outside}`)
  return `Pairs by pKd, from the lower end of each half: ${parts.join(', ')}`
}
