/** Changes of one group and their effect on pK: in this series, and in the training data. */
import { Flex } from '#web/ui/layout.ts'
import type { GroupChange, SeriesPairs } from '@pkdex/contract'
import { countOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { nameGroup } from './pairs-queries.ts'
import { addressOf } from './sar-table.tsx'
import classes from './pairs-table.module.css'

type Props = {
  changes: GroupChange[]
  drawings: SeriesPairs['drawings']
  trainingTarget: string | null
  nameOf: (place: number) => string
  /** Makes the compounds in which the change has not been made yet. */
  onApply: (change: { from: string; to: string }) => void
}

export function PairsTable({ changes, drawings, trainingTarget, nameOf, onApply }: Props) {
  const columns: (Column<GroupChange> | null)[] = [
    {
      title: 'Change',
      isRowHeading: true,
      cell: ({ from, to }) => (
        <span className={classes.change}>
          <Group smiles={from} svg={drawings[from]} />
          <span aria-hidden="true">→</span>
          <span className="visually-hidden">to</span>
          <Group smiles={to} svg={drawings[to]} />
        </span>
      ),
    },
    { title: 'Measured', cell: (change) => <Pairs change={change} nameOf={nameOf} /> },
    {
      title: 'Mean',
      cellClass: classes.mean,
      cell: ({ mean }) => (mean === null ? '–' : signed(mean)),
    },
    {
      title: 'Spread',
      cellClass: classes.mean,
      cell: ({ spread }) => (spread === null ? '–' : spread.toFixed(2)),
    },
    { title: '95% interval of the mean', cell: (change) => <IntervalPlot change={change} /> },
    trainingTarget === null
      ? null
      : trainingColumn('this target', ({ training_on_target }) => training_on_target),
    trainingColumn('all targets', ({ training }) => training),
    { title: 'Gaps', cell: (change) => <Gaps change={change} onApply={onApply} /> },
  ]
  return (
    <DataTable
      label="Matched pairs"
      region="Changes"
      isInset
      rows={changes}
      keyOf={({ from, to }) => `${from} ${to}`}
      columns={columns.filter((column) => column !== null)}
    />
  )
}

type Training = GroupChange['training'] | GroupChange['training_on_target']

function trainingColumn(of: string, trainingOf: (change: GroupChange) => Training) {
  const heading = (
    <>
      Training, {of}
      <br />
      mean, spread (pairs)
    </>
  )
  const cell = (change: GroupChange) => wordTraining(trainingOf(change))
  return { title: `Training, ${of}`, heading, cell }
}

/** The number of molecules that the change would add, and a button that makes them. */
function Gaps({
  change: { from, to, gaps },
  onApply,
}: Pick<Props, 'onApply'> & { change: GroupChange }) {
  if (gaps === 0) return <span className="faint">none</span>
  const label = gaps === null ? 'Apply' : countOf(gaps, 'gap')
  return (
    <Button
      variant="subtle"
      aria-label={`${label}, apply ${from} to ${to}`}
      onClick={() => onApply({ from, to })}
    >
      {label}
    </Button>
  )
}

function Group({ smiles, svg }: { smiles: string; svg: string | undefined }) {
  const name = nameGroup(smiles)
  if (name === 'H') return <b>{name}</b>
  if (svg === undefined) return <span className="breaks mono">{name}</span>
  return <img className={classes.group} src={addressOf(svg)} alt={name} title={name} />
}

/** The number of measured pairs; the pairs are listed when opened. */
function Pairs({
  change: { pairs, pair_count, measured },
  nameOf,
}: Pick<Props, 'nameOf'> & { change: GroupChange }) {
  return (
    <details>
      <summary className="unfold one-line">
        {measured === pair_count ? measured : `${measured} of ${pair_count}`}
      </summary>
      <ul className="small">
        {pairs.map(({ from, to, change }) => (
          <li key={`${from} ${to}`}>
            {`${nameOf(from)} → ${nameOf(to)}`}
            {change !== null && <b>{` ${signed(change)}`}</b>}
          </li>
        ))}
      </ul>
    </details>
  )
}

function wordTraining(training: Training): string {
  if (training === null) return '–'
  const { pairs, mean, spread } = training
  return `${signed(mean)}, ${spread.toFixed(2)} (${pairs.toLocaleString('en')})`
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}

const [WIDTH, HEIGHT, END] = [140, 20, 2]

/** From −2 to +2, with its ends in numbers; in the plot, ends outside are cut. */
function IntervalPlot({ change: { mean, lower, upper } }: { change: GroupChange }) {
  if (mean === null || lower === null || upper === null) return null
  const placeOf = (value: number) =>
    ((Math.max(-END, Math.min(END, value)) + END) / (2 * END)) * WIDTH
  const plot = (
    <svg className={classes.plot} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <line className={classes.zero} x1={WIDTH / 2} x2={WIDTH / 2} y1={0} y2={HEIGHT} />
      <line x1={placeOf(lower)} x2={placeOf(upper)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <rect
        x={-4}
        y={-4}
        width={8}
        height={8}
        transform={`translate(${placeOf(mean)} ${HEIGHT / 2}) rotate(45)`}
      />
    </svg>
  )
  return (
    <Flex component="span" className="one-line" display="inline-flex" wrap="wrap" gap="xs">
      {plot}
      {`${signed(lower)} to ${signed(upper)}`}
    </Flex>
  )
}
