/** Lines of equal lipophilic efficiency (LLE = pKd − cLogP), if potency is plotted against cLogP. */
import type { Axis } from '#web/ui/axis.ts'
import type { PlotScale } from '#web/ui/plot.tsx'
import classes from './screen-charts.module.css'

const LINES_MAX = 6

type Line = { lle: number; from: [x: number, y: number]; to: [x: number, y: number] }
type Axes = { x: Axis; y: Axis }

/** Lines at whole numbers, cut to the plot; only every second one, or fewer, if there are many. */
export function lleLines({ x, y }: Axes): Line[] {
  const [least, most] = [Math.ceil(y.from - x.to), Math.floor(y.to - x.from)]
  const step = Math.max(1, Math.ceil((most - least) / LINES_MAX))
  const all = Array.from({ length: most - least + 1 }, (_, at) => least + at)
  return all.flatMap((lle) => {
    const [from, to] = [Math.max(x.from, y.from - lle), Math.min(x.to, y.to - lle)]
    if (lle % step !== 0 || from >= to) return []
    return { lle, from: [from, from + lle], to: [to, to + lle] }
  })
}

export function LleLines({ x, y, scale }: Axes & { scale: PlotScale }) {
  return lleLines({ x, y }).map(({ lle, from, to }) => {
    const [right, top] = [scale.x(to[0]), scale.y(to[1])]
    const isShort = right - scale.x(from[0]) < ROOM_PX
    return (
      <g key={lle} className={classes.lle}>
        <line x1={scale.x(from[0])} y1={scale.y(from[1])} x2={right} y2={top} />
        {!isShort && (
          <text x={right - 6} y={top + 14} textAnchor="end">
            {`LLE ${lle}`}
          </text>
        )}
      </g>
    )
  })
}

/** Shorter lines have no room for a label. */
const ROOM_PX = 56
