/** Who the administrators are; one more, whose password is shown this once; one less, after a question. */
import { createAdministrator, deleteAdministrator, listAdministrators } from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { formatDay, formatMinute } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
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
      void client.invalidateQueries({ queryKey: ['admin', part] })
    }
  }
}

export function Administrators() {
  const query = useQuery(administratorsQuery)
  const [doomed, setDoomed] = useState<Listed | null>(null)
  const [deleted, setDeleted] = useState<string | null>(null)
  return (
    <Panel title="Administrators">
      {deleted !== null && (
        <Announcement key={deleted} tone="success" takesFocus>
          {deleted} is no administrator any more.
        </Announcement>
      )}
      <Loaded
        query={query}
        what="the administrators"
        failure="Failed to load the administrators"
        reasonOf={adminReason}
        lines={2}
      >
        {({ administrators }) => (
          <ListedTable administrators={administrators} onDelete={setDoomed} />
        )}
      </Loaded>
      <AddAdministrator />
      {doomed !== null && (
        <DeleteDialog
          email={doomed.email}
          onClose={() => setDoomed(null)}
          onDeleted={() => setDeleted(doomed.email)}
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
    // A password that is shown once has no place in a cache.
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
        what={`Password of ${data.email}`}
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
        label="Email of another administrator"
        type="email"
        autoComplete="off"
        value={email}
        hint="A password is made and shown to you, this once."
        error={isTold && !isEmail ? 'This is not an e-mail address.' : undefined}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <Failure title="No administrator was made" error={isPending ? null : error} />
      <Button type="submit" loading={isPending}>
        Make administrator
      </Button>
    </form>
  )
}

type DeleteProps = { email: string; onClose: () => void; onDeleted: () => void }

function DeleteDialog({ email, onClose, onDeleted }: DeleteProps) {
  const refresh = useRefresh()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => callAdmin(deleteAdministrator, { params: { email } }),
    onSuccess() {
      onDeleted()
      onClose()
      refresh()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${email}`}
      text="Their sessions end at once. What they did stays in the audit log."
      confirm="Delete"
      isDangerous
      isBusy={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <Failure title="Nobody was deleted" error={isPending ? null : error} />
    </ConfirmDialog>
  )
}

function Failure({ title, error }: { title: string; error: Error | null }) {
  if (error === null) return null
  return (
    <Note tone="failure" title={title}>
      {adminReason(error)}
    </Note>
  )
}
