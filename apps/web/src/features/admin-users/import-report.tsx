/** The result of each line of a user list, invalid lines first. */
import type { ImportedUser, ImportOutcome } from '@pkdex/contract'
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
      <table className={`${table.table} ${table.stacks} ${classes.report}`} aria-label="Lines">
        <thead>
          <tr>
            <th scope="col" className={table.number}>
              Line
            </th>
            <th scope="col">Email</th>
            <th scope="col">Outcome</th>
            <th scope="col" className={table.number}>
              Change
            </th>
            <th scope="col" className={table.number}>
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <ReportRow key={row.line} row={row} isDone={isDone} />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function ReportRow({ row, isDone }: { row: ImportedUser; isDone: boolean }) {
  const { line, email, outcome, delta, credits, reason } = row
  return (
    <tr>
      <td className={`${table.number} ${classes.line}`} data-label="Line">
        {line}
      </td>
      <td className={table.wide}>{email === '' ? '–' : email}</td>
      <td className={table.wide}>
        {outcomes[outcome][isDone ? 'after' : 'before']}
        {reason !== null && <small className={classes.reason}>{reason}</small>}
      </td>
      <td className={table.number} data-label="Change">
        {delta === 0 ? '–' : formatChange(delta)}
      </td>
      <td className={table.number} data-label="Balance">
        {credits === null ? '–' : credits.toLocaleString('en')}
      </td>
    </tr>
  )
}
