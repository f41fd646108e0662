/** A short table whose rows have actions, and one whose rows can be deleted or revoked after confirmation. */
import { type ReactNode, useState } from 'react'
import { Button } from './button.ts'
import { CallDialog } from './call-dialog.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { Announcement } from './note.tsx'
import table from './table.module.css'

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
  const actions: Column<Row> = {
    title: 'Actions',
    heading: null,
    cellClass: actionsClass,
    cell: (row) => (
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
    ),
  }
  const labelled = columns.map((column, at) =>
    at === 0 ? column : { label: true as const, ...column },
  )
  return <DataTable {...{ label, rows, keyOf }} columns={[...labelled, actions]} isInset />
}

type Erasing<Row> = {
  verb: 'Delete' | 'Revoke' | 'End' | 'Remove'
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
  const [toErase, setToErase] = useState<Row | null>(null)
  const [erased, setErased] = useState<string | null>(null)
  const { rows, nameOf } = props
  const { verb, text, failure, reasonOf, call, onDone, canErase = () => true } = erasing
  const actionsOf = (row: Row) => (canErase(row) ? [{ verb, onClick: setToErase }] : [])
  return (
    <>
      {erased !== null && (
        <Announcement key={erased} tone="success" takesFocus>
          {erased} was {pastOf[verb]}.
        </Announcement>
      )}
      {rows.length === 0 ? empty : <ActionTable {...props} actionsOf={actionsOf} />}
      {toErase !== null && (
        <CallDialog
          title={`${verb} ${nameOf(toErase)}`}
          text={text}
          confirm={verb}
          isDangerous
          call={() => call(toErase)}
          failure={failure}
          reasonOf={reasonOf}
          onDone={() => {
            setErased(nameOf(toErase))
            onDone()
          }}
          onClose={() => setToErase(null)}
        />
      )}
    </>
  )
}

const pastOf = { Delete: 'deleted', Revoke: 'revoked', End: 'ended', Remove: 'removed' }
