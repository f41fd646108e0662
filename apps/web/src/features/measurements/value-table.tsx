/** The values of a target, page by page: measured and predicted, with buttons to edit and delete. */
import type { ComparedMeasurement, Measurement } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { type ValueAction, ValueDialog } from './value-dialog.tsx'
import { comparisonQuery, measurementsQuery, PAGE_SIZE } from './measurement-queries.ts'
import type { UseDrawSmiles } from './scatter.tsx'

type Props = {
  target: string
  page: number
  hrefOf: (page: number) => string
  useDrawSmiles: UseDrawSmiles
  /** The star button of the compound with this name; nothing if the user has no such compound. */
  starCompound: (name: string) => ReactNode
}

export function ValueTable({ target, page, hrefOf, ...props }: Props) {
  const query = useQuery(measurementsQuery(target, page))
  const { data: comparison } = useQuery(comparisonQuery(target))
  const [action, setAction] = useState<ValueAction | null>(null)
  const compared = new Map(comparison?.compared.map((one) => [one.smiles, one]))
  const total = query.data?.targets.find(({ name }) => name === target)?.count ?? 0
  return (
    <Panel
      title="Values"
      isFlush
      action={
        <Button
          variant="subtle"
          color="gray"
          disabled={total === 0}
          onClick={() => setAction({ kind: 'delete all' })}
        >
          Delete all
        </Button>
      }
    >
      <Loaded
        query={query}
        what="your values"
        failure="Failed to load your values"
        reasonOf={(error) => messageOf(error, 'Try again.')}
        lines={3}
        isFlush
      >
        {({ measurements }) => (
          <Rows
            rows={measurements}
            compared={compared}
            isStale={query.isPlaceholderData}
            onAsk={setAction}
            {...props}
          />
        )}
      </Loaded>
      {total > PAGE_SIZE && (
        <Pager
          label="Pages of values"
          page={page}
          pageSize={PAGE_SIZE}
          total={total}
          hrefOf={hrefOf}
        />
      )}
      {action !== null && (
        <ValueDialog
          action={action}
          target={target}
          total={total}
          onClose={() => setAction(null)}
        />
      )}
    </Panel>
  )
}

type RowsProps = Pick<Props, 'useDrawSmiles' | 'starCompound'> & {
  rows: Measurement[]
  compared: Map<string, ComparedMeasurement>
  isStale: boolean
  onAsk: (action: ValueAction) => void
}

function Rows({ rows, compared, isStale, onAsk, useDrawSmiles, starCompound }: RowsProps) {
  const molecules = useMemo(() => [...new Set(rows.map(({ smiles }) => smiles))], [rows])
  const drawSmiles = useDrawSmiles(molecules)
  const none = 'No values for this target yet.'
  if (rows.length === 0) return <p className={`quiet ${table.bar}`}>{none}</p>
  return (
    <table className={`${table.table} ${table.stacks}`} aria-label="Values" aria-busy={isStale}>
      <thead>
        <tr>
          {drawSmiles && <th scope="col">Structure</th>}
          <th scope="col">Compound</th>
          <th scope="col">Measured</th>
          <th scope="col" className={table.number}>
            pK
          </th>
          <th scope="col" className={table.number}>
            Predicted
          </th>
          <th scope="col" className={table.number}>
            Leave-one-out
          </th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody data-stale={isStale}>
        {rows.map((measurement) => (
          <tr key={measurement.id}>
            {drawSmiles && (
              <td className={`${table.wide} ${table.structure}`}>
                {drawSmiles(measurement.smiles)}
              </td>
            )}
            <td>
              {starCompound(measurement.compound)}
              {measurement.compound}
            </td>
            <td className={table.once} data-label="Measured">
              {measurement.value}
            </td>
            <td className={table.number} data-label="pK">
              {boundWords[measurement.bound ?? 'none']}
              {measurement.pk.toFixed(2)}
              <Mean compared={compared.get(measurement.smiles)} />
            </td>
            <Predicted compared={compared.get(measurement.smiles)} />
            <td>
              <div className={table.actions}>
                <RowActions measurement={measurement} onAsk={onAsk} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const boundWords = { none: '', upper: '≤ ', lower: '≥ ' } as const

/** The mean of replicates, with its spread. */
function Mean({ compared }: { compared: ComparedMeasurement | undefined }) {
  if (compared === undefined || compared.spread === null) return null
  const { pk, spread, count } = compared
  return (
    <div className="small quiet">{`mean ${pk.toFixed(2)} ± ${spread.toFixed(2)}, n = ${count}`}</div>
  )
}

function Predicted({ compared }: { compared: ComparedMeasurement | undefined }) {
  const shown = (side: 'without_own' | 'with_own') =>
    compared === undefined ? '…' : (compared[side]?.predicted.toFixed(2) ?? '–')
  return (
    <>
      <td className={table.number} data-label="Predicted">
        {shown('without_own')}
      </td>
      <td className={table.number} data-label="Leave-measurement-out">
        {shown('with_own')}
      </td>
    </>
  )
}

function RowActions({
  measurement,
  onAsk,
}: {
  measurement: Measurement
  onAsk: (action: ValueAction) => void
}) {
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        aria-label={`Edit value for ${measurement.compound}`}
        onClick={() => onAsk({ kind: 'change', measurement })}
      >
        Edit
      </Button>
      <Button
        variant="subtle"
        color="gray"
        aria-label={`Delete value for ${measurement.compound}`}
        onClick={() => onAsk({ kind: 'delete', measurement })}
      >
        Delete
      </Button>
    </>
  )
}
