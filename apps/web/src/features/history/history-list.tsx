/** The list of past predictions; search and page live in the URL. */
import { type PastPrediction, SearchText } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import {
  formatAffinity,
  formatInterval,
  unitTitles,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { messageOf } from '#web/lib/api.ts'
import { formatMinute, largeCountOf } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import table from '#web/ui/table.module.css'
import { historyQuery, hrefOf, PAGE_SIZE, readHistoryParams } from './history-query.ts'

export function HistoryList() {
  const params = readHistoryParams(useSearchParams()[0])
  const navigate = useNavigate()
  const query = useQuery(historyQuery(params))
  const { data, isPlaceholderData: isStale } = query
  const lastPage = Math.max(1, Math.ceil((data?.total ?? 0) / PAGE_SIZE))
  if (data !== undefined && !isStale && params.page > lastPage) {
    return <Navigate to={hrefOf({ ...params, page: lastPage })} replace />
  }
  return (
    <section className={`sheet ${table.sheet}`} aria-label="Your predictions">
      <div className={table.bar}>
        <SearchField
          label="Search by target or compound"
          search={params.search}
          charactersMax={SearchText.unwrap().maxLength}
          onSearch={(search) =>
            void navigate(hrefOf({ page: 1, search }), { replace: true, preventScrollReset: true })
          }
        />
        <output className="quiet small">{data && largeCountOf(data.total, 'prediction')}</output>
      </div>
      <Loaded
        query={query}
        what="your predictions"
        failure="Your predictions could not be loaded"
        reasonOf={(error) => messageOf(error, 'Please try again.')}
        lines={8}
        isFlush
      >
        {({ predictions, total }) =>
          total === 0 ? (
            <Nothing search={params.search} />
          ) : (
            <>
              <Predictions predictions={predictions} isStale={isStale} />
              <Pager
                link={Link}
                label="Pages of predictions"
                page={params.page}
                pageSize={PAGE_SIZE}
                total={total}
                hrefOf={(page) => hrefOf({ ...params, page })}
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Nothing({ search }: { search: string }) {
  return (
    <div className={table.bar}>
      {search === '' ? (
        <p className="quiet">
          No predictions yet. <Link to="/results">Predict a pair</Link>, and it stands here.
        </p>
      ) : (
        <p className="quiet">No target or compound with a prediction has “{search}” in its name.</p>
      )}
    </div>
  )
}

function Predictions({
  predictions,
  isStale,
}: {
  predictions: PastPrediction[]
  isStale: boolean
}) {
  return (
    <table
      className={`${table.table} ${table.stacks}`}
      aria-label="Predictions"
      aria-busy={isStale}
    >
      <thead>
        <tr>
          <th scope="col">Pair</th>
          <th scope="col">Chain</th>
          <th scope="col" className={table.number}>
            {unitTitles[useAffinityUnit()]}
          </th>
          <th scope="col" className={table.number}>
            Interval
          </th>
          <th scope="col">Model</th>
          <th scope="col" className={table.number}>
            Credits
          </th>
          <th scope="col">Asked</th>
        </tr>
      </thead>
      <tbody data-stale={isStale}>
        {predictions.map((prediction) => (
          <PredictionRow key={prediction.task_id} prediction={prediction} />
        ))}
      </tbody>
    </table>
  )
}

function PredictionRow({ prediction }: { prediction: PastPrediction }) {
  const { chain, model_version, credits_charged, created_at } = prediction
  return (
    <tr>
      <td className={table.wide}>
        <PairName {...prediction} />
      </td>
      <td data-label="Chain">{chain}</td>
      <NumberCells {...prediction} />
      <td data-label="Model">{model_version ?? '–'}</td>
      <td className={table.number} data-label="Credits">
        {credits_charged.toLocaleString('en')}
      </td>
      <td className={table.once}>{formatMinute(created_at)}</td>
    </tr>
  )
}

/** Leads to the pair; not where one of the two is gone. */
function PairName({ target, compound }: PastPrediction) {
  if (target !== null && compound !== null) {
    const to = `/results?${new URLSearchParams({ target, compound })}`
    return <Link to={to}>{`${compound} on ${target}`}</Link>
  }
  return (
    <>
      {compound ?? <em className="quiet">deleted compound</em>} on{' '}
      {target ?? <em className="quiet">deleted target</em>}
    </>
  )
}

function NumberCells({ status, message, predicted_kd, lower, upper }: PastPrediction) {
  const unit = useAffinityUnit()
  if (predicted_kd === null) {
    const isFailed = status === 'FAILURE'
    return (
      <td colSpan={2} className={table.wide}>
        {isFailed ? `Failed. ${message ?? ''}` : 'Under way'}
      </td>
    )
  }
  return (
    <>
      <td className={table.number} data-label={unitTitles[unit]}>
        {formatAffinity(predicted_kd, unit)}
      </td>
      <td className={table.number} data-label="Interval">
        {lower !== null && upper !== null && formatInterval({ lower, upper }, unit)}
      </td>
    </>
  )
}
