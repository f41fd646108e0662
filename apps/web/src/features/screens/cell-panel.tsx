/** The active pair of the heat map: its structure, value, interval and domain. */
import { Box, Group } from '#web/ui/layout.ts'
import { errorOfDifference } from '@pkdex/contract'
import type { ReactNode } from 'react'
import {
  type AffinityUnit,
  formatDifference,
  formatInterval,
  shortenAffinity,
  shortenMeasured,
  unitTitles,
} from '#web/lib/affinity-unit.ts'
import { Button } from '#web/ui/button.ts'
import { MeasuredMark } from '#web/ui/measured-mark.tsx'
import { DomainMark } from './domain-mark.tsx'
import classes from './heat-map.module.css'
import {
  type GridDetails,
  intervalAt,
  domainStateAt,
  estimateAt,
  pkdAt,
  type ScreenGrid,
  titleOf,
} from './screen-matrix.ts'

type Props = {
  grid: ScreenGrid
  details: GridDetails | undefined
  unit: AffinityUnit
  drawSmiles: ((smiles: string) => ReactNode) | null
  starCompound: (compound: string) => ReactNode
  row: number
  column: number
  onOpen: () => void
}

export function CellPanel({ grid, details, unit, row, column, ...props }: Props) {
  const { drawSmiles, starCompound, onOpen } = props
  const place = row * grid.targets.length + column
  const [pkd, compound] = [pkdAt(grid, place), grid.compounds[row] ?? '']
  const state = domainStateAt(grid, place)
  const interval = details ? intervalAt(details, place) : null
  const own = details?.measured.get(place)
  const facts: [string, ReactNode][] = [
    ...(own === undefined ? [] : [measuredFact(own, unit)]),
    ['95% interval', interval === null ? '–' : formatInterval(interval, unit)],
    ['Domain', <DomainMark key="domain" state={state} />],
    ['Next target', describeNext(grid, details, { place, column, unit })],
  ]
  return (
    <aside className={`sheet ${classes.panel}`} aria-label="Selected pair">
      <div>
        <p className="quiet small">{titleOf(grid, column)}</p>
        <Group wrap="nowrap" gap={0} justify="space-between" mih={44}>
          <Box component="h2" fz="md">
            {compound}
          </Box>
          {starCompound(compound)}
        </Group>
      </div>
      {drawSmiles && (
        <div className={classes.structure}>{drawSmiles(details?.smiles[row] ?? '')}</div>
      )}
      {pkd === null ? (
        <p className="quiet">No value</p>
      ) : (
        <>
          <Value text={shortenAffinity(pkd, unit, state)} unit={unit} />
          <dl className="facts small">
            {facts.map(([term, value]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <Button variant="default" onClick={onOpen}>
        Open
      </Button>
    </aside>
  )
}

function Value({ text, unit }: Pick<Props, 'unit'> & { text: string }) {
  return (
    <div>
      <Box component="p" fz="2.5rem" fw={500} lh="1.1">
        {text}
      </Box>
      <p className="quiet small">Predicted {unitTitles[unit]}</p>
    </div>
  )
}

function measuredFact(pk: number, unit: AffinityUnit): [string, ReactNode] {
  return ['Measured', <MeasuredMark key="measured">{shortenMeasured(pk, unit)}</MeasuredMark>]
}

type At = { place: number; column: number; unit: AffinityUnit }

/** The strongest other target, and the difference to it if that is larger than its error. */
function describeNext(
  grid: ScreenGrid,
  details: GridDetails | undefined,
  { place, column, unit }: At,
): string {
  const first = place - column
  const [next] = [...grid.targets.keys()]
    .filter((other) => other !== column && pkdAt(grid, first + other) !== null)
    .toSorted((a, b) => (pkdAt(grid, first + b) ?? 0) - (pkdAt(grid, first + a) ?? 0))
  if (next === undefined) return '–'
  const pkd = pkdAt(grid, first + next)
  if (pkd === null) return '–'
  const name = `${titleOf(grid, next)} ${shortenAffinity(pkd, unit)}`
  const [one, other] = [place, first + next].map((at) =>
    details === undefined ? null : estimateAt(details, at),
  )
  if (one == null || other == null) return name
  const difference = one.predicted - other.predicted
  const isBeyondError = Math.abs(difference) > errorOfDifference(one, other)
  return `${name}, ${isBeyondError ? formatDifference(difference, unit) : 'within error'}`
}
