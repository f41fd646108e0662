/** `/screens/:id/report`: the strongest pairs with their structures, numbers and intervals, to be printed or kept as a PDF. */
import type { Screen, ScreenRow } from '@pkdex/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { pictureQuery } from '#web/features/previews/picture-query.ts'
import { readResultsParams, type ResultsParams } from '#web/features/screens/results-params.ts'
import { resultsQuery, screenQuery } from '#web/features/screens/screen-queries.ts'
import { hasEnded } from '#web/features/screens/screen-stream.ts'
import { describeCost, statusWord, titleOfScreen } from '#web/features/screens/screen-words.tsx'
import {
  type AffinityUnit,
  formatAffinity,
  formatInterval,
  unitTitles,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { messageOf } from '#web/lib/api.ts'
import { countOf, formatMinute } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import classes from './report-page.module.css'

/** As many as one leafs through; the files hold all. */
const ROWS_MAX = 100

export function ReportPage() {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const screen = useQuery(screenQuery(id))
  const reasonOf = (error: Error) => messageOf(error, 'The server did not answer as expected.')
  return (
    <div className={classes.page}>
      <Loaded
        query={screen}
        what="the report"
        failure="The report could not be loaded"
        reasonOf={reasonOf}
        lines={6}
      >
        {(data) => <Report screen={data} params={readResultsParams(search)} back={`${search}`} />}
      </Loaded>
    </div>
  )
}

type ReportProps = { screen: Screen; params: ResultsParams; back: string }

function Report({ screen, params, back }: ReportProps) {
  const ask = { id: screen.id, isRunning: !hasEnded(screen), params }
  const results = useQuery(resultsQuery(ask, 1, ROWS_MAX))
  return (
    <>
      <title>{`Report on ${titleOfScreen(screen)} · pKdex`}</title>
      <PageHead
        above={
          <Link className={classes.screenOnly} to={`/screens/${screen.id}?${back}`}>
            Back to the screen
          </Link>
        }
        title={titleOfScreen(screen)}
        below={`${describeCost(screen)}. ${statusWord(screen.status)}`}
      >
        <div className={classes.screenOnly}>
          <Button onClick={() => print()}>Print</Button>
        </div>
      </PageHead>
      <Facts screen={screen} params={params} />
      <Loaded
        query={results}
        what="the pairs"
        failure="The pairs could not be loaded"
        reasonOf={(error) => messageOf(error, 'The server did not answer as expected.')}
        lines={6}
      >
        {({ rows, total }) => (
          <>
            <p className="quiet">{countShown(rows.length, total)}</p>
            <Pairs rows={rows} />
          </>
        )}
      </Loaded>
      <p className={classes.foot}>
        Predicted affinity with the model’s own interval. A prediction is no measurement; outside
        the domain the interval says less than inside.
      </p>
    </>
  )
}

const orders: Record<ResultsParams['sort'], string> = {
  input: 'the order of the input',
  affinity: 'affinity',
  selectivity: 'selectivity, best against second-best target',
  interval: 'width of the interval',
  nearest: 'nearness of training data',
}

function Facts({ screen, params }: { screen: Screen; params: ResultsParams }) {
  const facts = [
    ['Targets', screen.targets.map(({ name, chain }) => `${name} chain ${chain}`).join(', ')],
    ['Model version', screen.model_version],
    ['Started', formatMinute(screen.created_at)],
    ['Ended', screen.finished_at === null ? 'not yet' : formatMinute(screen.finished_at)],
    ['Sorted by', orders[params.sort]],
    ['Screen', screen.id],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function countShown(shown: number, total: number): string {
  const all = total.toLocaleString('en')
  return shown < total ? `The first ${shown} of ${all} pairs.` : `All ${all} pairs.`
}

function Pairs({ rows }: { rows: ScreenRow[] }) {
  const names = [...new Set(rows.map(({ compound }) => compound))]
  // On paper the ground is white, whatever the screen shows.
  const pictures = useQueries({
    queries: names.map((name) => pictureQuery('molecule', name, 'light')),
  })
  const unit = useAffinityUnit()
  const hasOwnValues = rows.some(({ own_values }) => own_values !== null)
  const addressOf = (name: string) => pictures[names.indexOf(name)]?.data?.address
  return (
    <table className={classes.pairs}>
      <thead>
        <tr>
          <th scope="col">Structure</th>
          <th scope="col">Compound</th>
          <th scope="col">Target</th>
          <th scope="col">{unitTitles[unit]}</th>
          <th scope="col">Interval</th>
          {hasOwnValues && <th scope="col">With your values</th>}
          <th scope="col">Domain</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PairRow
            key={`${row.row} ${row.target} ${row.chain}`}
            row={row}
            unit={unit}
            hasOwnValues={hasOwnValues}
            address={addressOf(row.compound)}
          />
        ))}
      </tbody>
    </table>
  )
}

type PairRowProps = {
  row: ScreenRow
  unit: AffinityUnit
  hasOwnValues: boolean
  address: string | undefined
}

function PairRow({ row, unit, hasOwnValues, address }: PairRowProps) {
  return (
    <tr>
      <td className={`${classes.structure} ${classes.wide}`}>
        {address !== undefined && (
          <img src={address} alt={`Structural formula of ${row.compound}`} />
        )}
      </td>
      <td className={`${classes.compound} ${classes.wide}`}>
        <strong>{row.compound}</strong>
        <p className="mono small">{row.smiles}</p>
      </td>
      <td className={classes.target} data-label="Target">
        {row.target} <span className="faint">{row.chain}</span>
      </td>
      {row.predicted_kd === null ? (
        <td className={classes.wide} colSpan={hasOwnValues ? 4 : 3}>
          {row.reason}
        </td>
      ) : (
        <Numbers row={row} pkd={row.predicted_kd} unit={unit} hasOwnValues={hasOwnValues} />
      )}
    </tr>
  )
}

type NumbersProps = Pick<PairRowProps, 'row' | 'unit' | 'hasOwnValues'> & { pkd: number }

/** On a phone the head of the table is not there, and each says what it is. */
function Numbers({ row, pkd, unit, hasOwnValues }: NumbersProps) {
  const { lower, upper } = row
  return (
    <>
      <td className={`${classes.number} ${classes.once}`} data-label={unitTitles[unit]}>
        {formatAffinity(pkd, unit)}
      </td>
      <td className={classes.once} data-label="Interval">
        {lower !== null && upper !== null && formatInterval({ lower, upper }, unit)}
      </td>
      {hasOwnValues && <td data-label="With your values">{describeOwn(row, unit)}</td>}
      <td data-label="Domain">{row.in_domain === true ? 'Inside' : 'Outside'}</td>
    </>
  )
}

function describeOwn(row: ScreenRow, unit: AffinityUnit): string {
  const { own_values: count, predicted_kd_with_own: pkd } = row
  const { lower_with_own: lower, upper_with_own: upper } = row
  if (count === null || pkd === null || lower === null || upper === null) return '–'
  const interval = formatInterval({ lower, upper }, unit)
  return `${formatAffinity(pkd, unit)} (${interval}) with ${countOf(count, 'value')}`
}
