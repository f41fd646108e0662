/** Lists administrators; adds one, whose password is shown only once; deletes one after confirmation. */
import { createAdministrator, deleteAdministrator, listAdministrators } from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { type SubmitEvent, useRef, useState } from 'react'
import { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { formatDay, formatMinute } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Field, focusFirstError } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Announcement, Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShownOnce } from '#web/ui/shown-once.tsx'
import table from '#web/ui/table.module.css'
import classes from './administrators.module.css'

type Listed = z.infer<typeof listAdministrators.answer>['administrators'][number]

const administratorsQuery = queryOptions({
  queryKey: ['admin', 'administrators'],
  queryFn: ({ signal }) => callAdmin(listAdministrators, { signal }),
})

function useRefresh() {
  const client = useQueryClient()
  return () => {
    for (const part of ['administrators', 'database', 'audit']) {
      void readAgain(client, { queryKey: ['admin', part] })
    }
  }
}

export function Administrators() {
  const query = useQuery(administratorsQuery)
  const [doomed, setDoomed] = useState<Listed | null>(null)
  const [deleted, setDeleted] = useState<string | null>(null)
  const refresh = useRefresh()
  return (
    <Panel title="Administrators">
      {deleted !== null && (
        <Announcement key={deleted} tone="success" takesFocus>
          {deleted} was deleted.
        </Announcement>
      )}
      <Loaded
        query={query}
        what="the administrators"
        failure="Failed to load administrators"
        reasonOf={adminReason}
        lines={2}
      >
        {({ administrators }) => (
          <ListedTable administrators={administrators} onDelete={setDoomed} />
        )}
      </Loaded>
      <AddAdministrator />
      {doomed !== null && (
        <CallDialog
          title={`Delete ${doomed.email}`}
          text="Their sessions end immediately. Their actions stay in the audit log."
          confirm="Delete"
          isDangerous
          call={() => callAdmin(deleteAdministrator, { params: { email: doomed.email } })}
          failure="The administrator was not deleted"
          reasonOf={adminReason}
          onDone={() => {
            setDeleted(doomed.email)
            refresh()
          }}
          onClose={() => setDoomed(null)}
        />
      )}
    </Panel>
  )
}

type TableProps = { administrators: Listed[]; onDelete: (one: Listed) => void }

function ListedTable({ administrators, onDelete }: TableProps) {
  return (
    <table className={`${table.table} ${table.inset} ${table.stacks}`} aria-label="Administrators">
      <thead>
        <tr>
          <th scope="col">Email</th>
          <th scope="col">Since</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {administrators.map((one) => (
          <tr key={one.email}>
            <td className={table.wide}>
              {one.email}
              {one.is_you && <span className="quiet"> (you)</span>}
            </td>
            <td className={table.once} data-label="Since">
              <time dateTime={one.created_at} title={formatMinute(one.created_at)}>
                {formatDay(one.created_at)}
              </time>
            </td>
            <td>
              <div className={table.actions}>
                {!one.is_you && (
                  <Button
                    variant="subtle"
                    color="gray"
                    aria-label={`Delete ${one.email}`}
                    onClick={() => onDelete(one)}
                  >
                    Delete
                  </Button>
                )}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function AddAdministrator() {
  const form = useRef<HTMLFormElement>(null)
  const [email, setEmail] = useState('')
  const [isTold, setIsTold] = useState(false)
  const [isCopied, setIsCopied] = useState(false)
  const refresh = useRefresh()
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => callAdmin(createAdministrator, { body: { email: email.trim() } }),
    onSuccess() {
      setEmail('')
      setIsTold(false)
      setIsCopied(false)
      refresh()
    },
    // A password shown only once must not be cached.
    gcTime: 0,
  })
  const isEmail = z.email().safeParse(email.trim()).success

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsTold(true)
    if (!isEmail) focusFirstError(form.current)
    else if (!isPending) mutate()
  }

  if (data !== undefined) {
    return (
      <ShownOnce
        what={`Password for ${data.email}`}
        secret={data.password}
        isCopied={isCopied}
        onCopied={() => setIsCopied(true)}
        onDone={reset}
      />
    )
  }
  return (
    <form
      ref={form}
      className={classes.add}
      noValidate
      aria-label="New administrator"
      onSubmit={submit}
    >
      <Field
        label="Email"
        type="email"
        autoComplete="off"
        value={email}
        hint="A password is generated and shown once."
        error={isTold && !isEmail ? 'Enter a valid email address.' : undefined}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <NotAdded error={isPending ? null : error} />
      <Button type="submit" loading={isPending}>
        Add administrator
      </Button>
    </form>
  )
}

function NotAdded({ error }: { error: Error | null }) {
  if (error === null) return null
  return (
    <Note tone="failure" title="The administrator was not added">
      {adminReason(error)}
    </Note>
  )
}
