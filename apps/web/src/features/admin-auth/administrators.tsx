/** Lists administrators; adds one, whose password is shown only once; deletes one after confirmation. */
import { Box } from '#web/ui/layout.ts'
import { createAdministrator, deleteAdministrator, listAdministrators } from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useState } from 'react'
import { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { Day } from '#web/lib/day.tsx'
import { Button } from '#web/ui/button.ts'
import { ErasableTable } from '#web/ui/action-table.tsx'
import { Field } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShownOnce } from '#web/ui/shown-once.tsx'
import { useForm } from '#web/ui/use-form.ts'
import table from '#web/ui/table.module.css'

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
  const refresh = useRefresh()
  return (
    <Panel title="Administrators">
      <Loaded
        query={query}
        what="the administrators"
        failure="Failed to load administrators"
        reasonOf={adminReason}
        lines={2}
      >
        {({ administrators }) => (
          <ErasableTable
            label="Administrators"
            rows={administrators}
            nameOf={({ email }) => email}
            columns={columns}
            erasing={{
              verb: 'Delete',
              text: 'Their sessions end immediately. Their actions stay in the audit log.',
              failure: 'The administrator was not deleted',
              reasonOf: adminReason,
              call: ({ email }) => callAdmin(deleteAdministrator, { params: { email } }),
              onDone: refresh,
              canErase: (one) => !one.is_you,
            }}
          />
        )}
      </Loaded>
      <AddAdministrator />
    </Panel>
  )
}

const columns = [
  {
    title: 'Email',
    className: table.wide,
    cell: (one: Listed) => (
      <>
        {one.email}
        {one.is_you && <span className="quiet"> (you)</span>}
      </>
    ),
  },
  {
    title: 'Since',
    className: table.once,
    cell: (one: Listed) => <Day at={one.created_at} />,
  },
]

const NewAdministrator = createAdministrator.body.extend({
  email: z.string().trim().pipe(createAdministrator.body.shape.email),
})

const says = { email: 'Enter a valid email address.' }

function AddAdministrator() {
  const [isCopied, setIsCopied] = useState(false)
  const refresh = useRefresh()
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (body: z.output<typeof NewAdministrator>) =>
      callAdmin(createAdministrator, { body }),
    onSuccess() {
      setIsCopied(false)
      refresh()
    },
    // A password shown only once must not be cached.
    gcTime: 0,
  })
  const form = useForm(NewAdministrator, { says, send: (body) => mutate(body), isBusy: isPending })

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
    <Box component="form" maw={420} mt="lg" aria-label="New administrator" {...form.props}>
      <Field
        label="Email"
        type="email"
        autoComplete="off"
        hint="A password is generated and shown once."
        {...form.field('email')}
      />
      <NotAdded error={isPending ? null : error} />
      <Button type="submit" loading={isPending}>
        Add administrator
      </Button>
    </Box>
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
