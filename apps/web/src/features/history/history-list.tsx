/** The list of past predictions; search and page are in the URL. */
import { type PastPrediction, SEARCH_CHARACTERS_MAX } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import {
  formatInterval,
  shortenAffinity,
  shortenMeasured,
  unitTitles,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { messageOf } from '#web/lib/api.ts'
import { labelChain } from '#web/lib/chains.ts'
import { formatMinute, largeCountOf } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { MeasuredMark } from '#web/ui/measured-mark.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import table from '#web/ui/table.module.css'
import { historyQuery, hrefOf, PAGE_SIZE, readHistoryParams } from './history-query.ts'

type Props = {
  /** Returns a function that draws a molecule, given the whole list; null if structures are not shown. */
  useDrawSmiles: (smiles: readonly string[]) => ((smiles: string) => ReactNode) | null
  starCompound: (name: string) => ReactNode
}

export function HistoryList(draws: Props) {
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
          placeholder="Target or compound"
          search={params.search}
          charactersMax={SEARCH_CHARACTERS_MAX}
          onSearch={(search) =>
            void navigate(hrefOf({ page: 1, search }), { replace: true, preventScrollReset: true })
          }
        />
        <output className="quiet small">{data && largeCountOf(data.total, 'prediction')}</output>
      </div>
      <Loaded
        query={query}
        what="your predictions"
        failure="Failed to load your predictions"
        reasonOf={(error) => messageOf(error, 'Try again.')}
        lines={8}
        isFlush
      >
        {({ predictions, total }) =>
          total === 0 ? (
            <Nothing search={params.search} />
          ) : (
            <>
              <Predictions {...{ predictions, isStale, ...draws }} />
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
          No predictions yet. <Link to="/results">Predict a pair</Link> to see it here.
        </p>
      ) : (
        <p className="quiet">No matches for “{search}”.</p>
      )}
    </div>
  )
}

function Predictions({
  predictions,
  isStale,
  useDrawSmiles,
  starCompound,
}: Props & { predictions: PastPrediction[]; isStale: boolean }) {
  const molecules = useMemo(
    () => [...new Set(predictions.flatMap(({ smiles }) => smiles ?? []))],
    [predictions],
  )
  const drawSmiles = useDrawSmiles(molecules)
  return (
    <table
      className={`${table.table} ${table.stacks}`}
      aria-label="Predictions"
      aria-busy={isStale}
    >
      <thead>
        <tr>
          {drawSmiles && <th scope="col">Structure</th>}
          <th scope="col">Pair</th>
          <th scope="col" className={table.secondary}>
            Chain
          </th>
          <th scope="col" className={table.number}>
            {unitTitles[useAffinityUnit()]}
          </th>
          <th scope="col" className={table.number}>
            Interval
          </th>
          <th scope="col" className={table.secondary}>
            Model
          </th>
          <th scope="col" className={table.number}>
            Credits
          </th>
          <th scope="col">Asked</th>
        </tr>
      </thead>
      <tbody data-stale={isStale}>
        {predictions.map((prediction) => (
          <PredictionRow key={prediction.task_id} prediction={prediction}>
            {drawSmiles && (
              <td className={`${table.wide} ${table.structure}`}>
                {drawSmiles(prediction.smiles ?? '')}
              </td>
            )}
            <td className={table.wide}>
              {prediction.compound !== null && starCompound(prediction.compound)}
              <PairName {...prediction} />
            </td>
          </PredictionRow>
        ))}
      </tbody>
    </table>
  )
}

type PredictionRowProps = { prediction: PastPrediction; children: ReactNode }

function PredictionRow({ prediction, children }: PredictionRowProps) {
  const { chain, model_version, credits_charged, created_at } = prediction
  return (
    <tr>
      {children}
      <td className={table.secondary} data-label="Chain">
        {labelChain(chain)}
      </td>
      <NumberCells {...prediction} />
      <td className={table.secondary} data-label="Model">
        {model_version ?? '–'}
      </td>
      <td className={table.number} data-label="Credits">
        {credits_charged.toLocaleString('en')}
      </td>
      <td className={table.once}>{formatMinute(created_at)}</td>
    </tr>
  )
}

/** Links to the pair, unless its target or compound was deleted. */
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

function NumberCells({ predicted_kd, measured_pk, lower, upper, ...past }: PastPrediction) {
  const unit = useAffinityUnit()
  const own = measured_pk !== null && (
    <>
      <MeasuredMark>{shortenMeasured(measured_pk, unit)}</MeasuredMark>{' '}
    </>
  )
  if (predicted_kd === null) {
    const isFailed = past.status === 'FAILURE'
    return (
      <td colSpan={2} className={table.wide}>
        {own}
        {isFailed ? `Failed. ${past.message ?? ''}` : 'In progress'}
      </td>
    )
  }
  return (
    <>
      <td className={table.number} data-label={unitTitles[unit]}>
        {own}
        {shortenAffinity(predicted_kd, unit, 'known_on_other_targets')}
      </td>
      <td className={table.number} data-label="Interval">
        {lower !== null && upper !== null && formatInterval({ lower, upper }, unit)}
      </td>
    </>
  )
}
