/** The values of a target, a page at a time: measured, predicted, changed and deleted. */
import type { ComparedMeasurement, Measurement } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { type Asked, AskedDialog } from './asked-dialog.tsx'
import { comparisonQuery, measurementsQuery, PAGE_SIZE } from './measurement-queries.ts'

type Props = { target: string; page: number; hrefOf: (page: number) => string }

export function ValueTable({ target, page, hrefOf }: Props) {
  const query = useQuery(measurementsQuery(target, page))
  const { data: comparison } = useQuery(comparisonQuery(target))
  const [asked, setAsked] = useState<Asked | null>(null)
  const compared = new Map(comparison?.compared.map((one) => [one.id, one]))
  const total = query.data?.targets.find(({ name }) => name === target)?.count ?? 0
  return (
    <Panel
      title="Values"
      isFlush
      action={
        total > 0 && (
          <Button variant="subtle" color="gray" onClick={() => setAsked({ kind: 'delete all' })}>
            Delete all
          </Button>
        )
      }
    >
      <Loaded
        query={query}
        what="your values"
        failure="Failed to load your values"
        reasonOf={(error) => messageOf(error, 'Please try again.')}
        lines={3}
        isFlush
      >
        {({ measurements }) => (
          <Rows
            rows={measurements}
            compared={compared}
            isStale={query.isPlaceholderData}
            onAsk={setAsked}
          />
        )}
      </Loaded>
      {total > PAGE_SIZE && (
        <Pager
          link={Link}
          label="Pages of values"
          page={page}
          pageSize={PAGE_SIZE}
          total={total}
          hrefOf={hrefOf}
        />
      )}
      {asked !== null && (
        <AskedDialog asked={asked} target={target} total={total} onClose={() => setAsked(null)} />
      )}
    </Panel>
  )
}

type RowsProps = {
  rows: Measurement[]
  compared: Map<string, ComparedMeasurement>
  isStale: boolean
  onAsk: (asked: Asked) => void
}

function Rows({ rows, compared, isStale, onAsk }: RowsProps) {
  const none = 'No values on this target yet.'
  if (rows.length === 0) return <p className={`quiet ${table.bar}`}>{none}</p>
  return (
    <table className={`${table.table} ${table.stacks}`} aria-label="Values" aria-busy={isStale}>
      <thead>
        <tr>
          <th scope="col">Compound</th>
          <th scope="col">Measured</th>
          <th scope="col" className={table.number}>
            pK
          </th>
          <th scope="col" className={table.number}>
            Predicted
          </th>
          <th scope="col" className={table.number}>
            With your others
          </th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody className={isStale ? table.stale : undefined}>
        {rows.map((one) => (
          <tr key={one.id}>
            <td>{one.compound}</td>
            <td className={table.once} data-label="Measured">
              {one.value}
            </td>
            <td className={table.number} data-label="pK">
              {boundWords[one.bound ?? 'none']}
              {one.pk.toFixed(2)}
            </td>
            <Predicted compared={compared.get(one.id)} />
            <td>
              <div className={table.actions}>
                <RowActions one={one} onAsk={onAsk} />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const boundWords = { none: '', upper: '≤ ', lower: '≥ ' } as const

function Predicted({ compared }: { compared: ComparedMeasurement | undefined }) {
  return (
    <>
      <td className={table.number} data-label="Predicted">
        {compared?.without_own.predicted.toFixed(2) ?? '…'}
      </td>
      <td className={table.number} data-label="With your others">
        {compared?.with_own.predicted.toFixed(2) ?? '…'}
      </td>
    </>
  )
}

function RowActions({ one, onAsk }: { one: Measurement; onAsk: (asked: Asked) => void }) {
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        aria-label={`Edit the value of ${one.compound}`}
        onClick={() => onAsk({ kind: 'change', one })}
      >
        Edit
      </Button>
      <Button
        variant="subtle"
        color="gray"
        aria-label={`Delete the value of ${one.compound}`}
        onClick={() => onAsk({ kind: 'delete', one })}
      >
        Delete
      </Button>
    </>
  )
}
