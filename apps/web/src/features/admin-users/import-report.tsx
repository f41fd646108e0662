/** The result of each line of a user list, invalid lines first. */
import type { ImportedUser, ImportOutcome } from '@pkdex/contract'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import classes from './import-users.module.css'
import { formatChange } from '#web/lib/format.ts'

const outcomes: Record<ImportOutcome, { before: string; after: string }> = {
  create: { before: 'Will be created', after: 'Created' },
  credit: { before: 'Balance will change', after: 'Balance changed' },
  unchanged: { before: 'No change', after: 'No change' },
  refused: { before: 'Invalid', after: 'Invalid' },
}

type Props = { rows: ImportedUser[]; isDone: boolean }

export function ImportReport({ rows, isDone }: Props) {
  const isRefused = ({ outcome }: ImportedUser) => outcome === 'refused'
  const sorted = [...rows.filter(isRefused), ...rows.filter((row) => !isRefused(row))]
  return (
    <Panel title={isDone ? 'Result by line' : 'Preview by line'} isFlush>
      <DataTable
        label="Lines"
        rows={sorted}
        keyOf={({ line }) => line}
        columns={columnsOf(isDone)}
        className={classes.report}
      />
    </Panel>
  )
}

function columnsOf(isDone: boolean): Column<ImportedUser>[] {
  return [
    {
      title: 'Line',
      label: true,
      isNumber: true,
      cellClass: classes.line,
      cell: ({ line }) => line,
    },
    { title: 'Email', cellClass: table.wide, cell: ({ email }) => (email === '' ? '–' : email) },
    {
      title: 'Outcome',
      cellClass: table.wide,
      cell: ({ outcome, reason }) => (
        <>
          {outcomes[outcome][isDone ? 'after' : 'before']}
          {reason !== null && <small className={classes.reason}>{reason}</small>}
        </>
      ),
    },
    {
      title: 'Change',
      label: true,
      isNumber: true,
      cell: ({ delta }) => (delta === 0 ? '–' : formatChange(delta)),
    },
    {
      title: 'Balance',
      label: true,
      isNumber: true,
      cell: ({ credits }) => credits?.toLocaleString('en') ?? '–',
    },
  ]
}
