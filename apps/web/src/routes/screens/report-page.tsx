/** `/screens/:id/report`: the strongest pairs with their structures, numbers and intervals, to be printed or kept as a PDF. */
import type { Screen, ScreenRow } from '@pkdex/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { pictureQuery } from '#web/features/previews/picture-query.ts'
import { readResultsParams, type ResultsParams } from '#web/features/screens/results-params.ts'
import { resultsQuery, screenQuery } from '#web/features/screens/screen-queries.ts'
import { hasEnded } from '#web/features/screens/screen-stream.ts'
import { describeCost, statusWord, titleOfScreen } from '#web/features/screens/screen-words.tsx'
import { messageOf } from '#web/lib/api.ts'
import { formatMinute } from '#web/lib/format.ts'
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
        Predicted pKd with the model’s own interval. A prediction is no measurement; outside the
        domain the interval says less than inside.
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
  const addressOf = (name: string) => pictures[names.indexOf(name)]?.data?.address
  return (
    <table className={classes.pairs}>
      <thead>
        <tr>
          <th scope="col">Structure</th>
          <th scope="col">Compound</th>
          <th scope="col">Target</th>
          <th scope="col">pKd</th>
          <th scope="col">Interval</th>
          <th scope="col">Domain</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PairRow
            key={`${row.row} ${row.target} ${row.chain}`}
            row={row}
            address={addressOf(row.compound)}
          />
        ))}
      </tbody>
    </table>
  )
}

function PairRow({ row, address }: { row: ScreenRow; address: string | undefined }) {
  return (
    <tr>
      <td className={classes.structure}>
        {address !== undefined && (
          <img src={address} alt={`Structural formula of ${row.compound}`} />
        )}
      </td>
      <td>
        <strong>{row.compound}</strong>
        <p className="mono small">{row.smiles}</p>
      </td>
      <td>
        {row.target} <span className="faint">{row.chain}</span>
      </td>
      {row.predicted_kd === null ? (
        <td colSpan={3}>{row.reason}</td>
      ) : (
        <>
          <td className={classes.number}>{row.predicted_kd.toFixed(2)}</td>
          <td>
            {row.lower?.toFixed(1)} to {row.upper?.toFixed(1)}
          </td>
          <td>{row.in_domain === true ? 'Inside' : 'Outside'}</td>
        </>
      )}
    </tr>
  )
}
