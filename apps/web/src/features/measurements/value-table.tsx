/** The values of a target, page by page: measured and predicted, with buttons to edit and delete. */
import type { ComparedMeasurement, Measurement } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
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
    <DataTable
      label="Values"
      rows={rows}
      keyOf={({ id }) => id}
      isStale={isStale}
      columns={[
        ...(drawSmiles
          ? [
              {
                title: 'Structure',
                cellClass: `${table.wide} ${table.structure}`,
                cell: ({ smiles }: Measurement) => drawSmiles(smiles),
              },
            ]
          : []),
        {
          title: 'Compound',
          cell: ({ compound }) => (
            <>
              {starCompound(compound)}
              {compound}
            </>
          ),
        },
        { title: 'Measured', label: true, cellClass: table.once, cell: ({ value }) => value },
        {
          title: 'pK',
          label: true,
          isNumber: true,
          cell: ({ bound, pk, smiles }) => (
            <>
              {boundWords[bound ?? 'none']}
              {pk.toFixed(2)}
              <Mean compared={compared.get(smiles)} />
            </>
          ),
        },
        predictedColumn('Predicted', 'without_own'),
        predictedColumn('Leave-one-out', 'with_own'),
        {
          title: 'Actions',
          heading: null,
          cell: (measurement) => (
            <div className={table.actions}>
              <RowActions measurement={measurement} onAsk={onAsk} />
            </div>
          ),
        },
      ]}
    />
  )

  function predictedColumn(title: string, side: 'without_own' | 'with_own'): Column<Measurement> {
    const cell = ({ smiles }: Measurement) => {
      const pair = compared.get(smiles)
      return pair === undefined ? '…' : (pair[side]?.predicted.toFixed(2) ?? '–')
    }
    return { title, label: true, isNumber: true, cell }
  }
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

type RowActionsProps = { measurement: Measurement; onAsk: (action: ValueAction) => void }

function RowActions({ measurement, onAsk }: RowActionsProps) {
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
