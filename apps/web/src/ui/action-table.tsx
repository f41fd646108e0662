/** A short table whose rows have actions, and one whose rows can be deleted or revoked after confirmation. */
import { type ReactNode, useState } from 'react'
import { Button } from './button.ts'
import { CallDialog } from './call-dialog.tsx'
import { Announcement } from './note.tsx'
import table from './table.module.css'

type Column<Row> = { title: string; className?: string | undefined; cell: (row: Row) => ReactNode }

type TableProps<Row> = {
  label: string
  rows: Row[]
  nameOf: (row: Row) => string
  /** Needed where names are not unique. */
  keyOf?: (row: Row) => string
  /** The first one is the heading of a row on a narrow screen. */
  columns: Column<Row>[]
  actionsClass?: string | undefined
}

type Action<Row> = { verb: string; onClick: (row: Row) => void }

export function ActionTable<Row>({
  actionsOf,
  ...props
}: TableProps<Row> & { actionsOf: (row: Row) => Action<Row>[] }) {
  const { label, rows, nameOf, keyOf = nameOf, columns, actionsClass } = props
  return (
    <table className={`${table.table} ${table.inset} ${table.stacks}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, className, cell }, at) => (
              <td key={title} className={className} data-label={at === 0 ? undefined : title}>
                {cell(row)}
              </td>
            ))}
            <td className={actionsClass}>
              <div className={table.actions}>
                {actionsOf(row).map(({ verb, onClick }) => (
                  <Button
                    key={verb}
                    variant="subtle"
                    color="gray"
                    aria-label={`${verb} ${nameOf(row)}`}
                    onClick={() => onClick(row)}
                  >
                    {verb}
                  </Button>
                ))}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Erasing<Row> = {
  verb: 'Delete' | 'Revoke'
  /** The consequence, in the confirmation. */
  text: string
  failure: string
  reasonOf: (error: Error) => string
  call: (row: Row) => Promise<unknown>
  onDone: () => void
  canErase?: (row: Row) => boolean
}

/** Announces what was deleted or revoked, also when no row is left. */
export function ErasableTable<Row>({
  erasing,
  empty,
  ...props
}: TableProps<Row> & { erasing: Erasing<Row>; empty?: ReactNode }) {
  const [doomed, setDoomed] = useState<Row | null>(null)
  const [erased, setErased] = useState<string | null>(null)
  const { rows, nameOf } = props
  const { verb, text, failure, reasonOf, call, onDone, canErase = () => true } = erasing
  const actionsOf = (row: Row) => (canErase(row) ? [{ verb, onClick: setDoomed }] : [])
  return (
    <>
      {erased !== null && (
        <Announcement key={erased} tone="success" takesFocus>
          {erased} was {verb === 'Delete' ? 'deleted' : 'revoked'}.
        </Announcement>
      )}
      {rows.length === 0 ? empty : <ActionTable {...props} actionsOf={actionsOf} />}
      {doomed !== null && (
        <CallDialog
          title={`${verb} ${nameOf(doomed)}`}
          text={text}
          confirm={verb}
          isDangerous
          call={() => call(doomed)}
          failure={failure}
          reasonOf={reasonOf}
          onDone={() => {
            setErased(nameOf(doomed))
            onDone()
          }}
          onClose={() => setDoomed(null)}
        />
      )}
    </>
  )
}
