/** The list of past predictions; search and page are in the URL. */
import { type PastPrediction, SEARCH_CHARACTERS_MAX } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  type AffinityUnit,
  formatInterval,
  shortenAffinity,
  shortenMeasured,
  unitTitles,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { messageOf } from '#web/lib/api.ts'
import { labelChain } from '#web/lib/chains.ts'
import { formatMinute, largeCountOf } from '#web/lib/format.ts'
import { type Column, PagedTable } from '#web/ui/data-table.tsx'
import { Checkbox } from '#web/ui/field.tsx'
import { MeasuredMark } from '#web/ui/measured-mark.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import table from '#web/ui/table.module.css'
import { historyQuery, hrefOf, PAGE_SIZE, readHistoryParams } from './history-query.ts'

type Props = {
  /** Returns a function that draws a molecule, given the whole list; null if structures are not shown. */
  useDrawSmiles: (smiles: readonly string[]) => ((smiles: string) => ReactNode) | null
  starCompound: (name: string) => ReactNode
  /** What can be done with the ticked ones. */
  selection: ReactNode
  ticked: { rows: ReadonlyMap<string, PastPrediction>; tick: (row: PastPrediction) => void }
}

export function HistoryList({ useDrawSmiles, starCompound, ticked, selection }: Props) {
  const params = readHistoryParams(useSearchParams()[0])
  const navigate = useNavigate()
  const query = useQuery(historyQuery(params))
  const { data } = query
  const molecules = useMemo(
    () => [...new Set(data?.predictions.flatMap(({ smiles }) => smiles ?? []))],
    [data],
  )
  const drawSmiles = useDrawSmiles(molecules)
  const unit = useAffinityUnit()
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
      <PagedTable
        query={query}
        what="your predictions"
        failure="Failed to load your predictions"
        reasonOf={(error) => messageOf(error, 'Try again.')}
        lines={8}
        isFlush
        label="Predictions"
        columns={columnsOf(unit, drawSmiles, { starCompound, ticked })}
        keyOf={({ task_id }) => task_id}
        pageOf={({ predictions, total }) => ({ rows: predictions, total })}
        paging={{
          page: params.page,
          pageSize: PAGE_SIZE,
          hrefOf: (page) => hrefOf({ ...params, page }),
        }}
        empty={<Nothing search={params.search} />}
      />
      {selection}
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

function columnsOf(
  unit: AffinityUnit,
  drawSmiles: ReturnType<Props['useDrawSmiles']>,
  { starCompound, ticked }: Pick<Props, 'starCompound' | 'ticked'>,
): Column<PastPrediction>[] {
  const structure: Column<PastPrediction>[] =
    drawSmiles === null
      ? []
      : [
          {
            title: 'Structure',
            cellClass: `${table.wide} ${table.structure}`,
            cell: ({ smiles }) => drawSmiles(smiles ?? ''),
          },
        ]
  return [
    {
      title: 'Select',
      heading: null,
      // Without its compound there is nothing to do with it.
      cell: (prediction) =>
        prediction.compound !== null && (
          <Checkbox
            isChecked={ticked.rows.has(prediction.task_id)}
            onChange={() => ticked.tick(prediction)}
          >
            <span className="visually-hidden">
              {`Select ${prediction.compound} on ${prediction.target ?? 'deleted target'}`}
            </span>
          </Checkbox>
        ),
    },
    ...structure,
    {
      title: 'Pair',
      cellClass: table.wide,
      cell: (prediction) => (
        <>
          {prediction.compound !== null && starCompound(prediction.compound)}
          <PairName {...prediction} />
        </>
      ),
    },
    { title: 'Chain', label: true, isSecondary: true, cell: ({ chain }) => labelChain(chain) },
    {
      title: 'Measured',
      label: true,
      isNumber: true,
      cell: ({ measured_pk: pk }) =>
        pk !== null && <MeasuredMark>{shortenMeasured(pk, unit)}</MeasuredMark>,
    },
    {
      title: unitTitles[unit],
      label: true,
      isNumber: true,
      cell: (prediction) => wordValue(prediction, unit),
    },
    {
      title: 'Interval',
      label: true,
      isNumber: true,
      cell: ({ best_lower: lower, best_upper: upper }) =>
        lower !== null && upper !== null && formatInterval({ lower, upper }, unit),
    },
    {
      title: 'Model',
      label: true,
      isSecondary: true,
      cell: ({ model_version: model }) => model ?? '–',
    },
    {
      title: 'Credits',
      label: true,
      isNumber: true,
      cell: ({ credits_charged: charged }) => charged.toLocaleString('en'),
    },
    { title: 'Asked', cellClass: table.once, cell: (row) => formatMinute(row.created_at) },
  ]
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

/** The prediction, or why there is none. */
function wordValue({ best_kd, status, message }: PastPrediction, unit: AffinityUnit): string {
  if (best_kd !== null) return shortenAffinity(best_kd, unit, 'known_on_other_targets')
  return status === 'FAILURE' ? `Failed. ${message ?? ''}` : 'In progress'
}
