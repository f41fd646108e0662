/** A user's API keys: a new one is shown only once, others by prefix. */
import { Button } from '#web/ui/button.ts'
import { listUserKeys, messages, revokeUserKey, type UserKey } from '@pkdex/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { Day } from '#web/lib/day.tsx'
import { Note } from '#web/ui/note.tsx'
import { ErasableTable } from '#web/ui/action-table.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { NewKey, useNewKey } from './new-key.tsx'
import classes from './user-keys.module.css'
import { useRefreshAdmin } from './users-query.ts'

type Key = z.infer<typeof UserKey>

function keysQuery(userId: string) {
  return queryOptions({
    queryKey: ['admin', 'user', userId, 'keys'],
    queryFn: ({ signal }) => callAdmin(listUserKeys, { params: { userId }, signal }),
  })
}

export function UserKeys({ userId }: { userId: string }) {
  const query = useQuery(keysQuery(userId))
  const refresh = useRefreshAdmin()
  const { make, isPending, error, shown } = useNewKey(userId)

  return (
    <Panel
      title="API keys"
      action={
        <Button variant="default" loading={isPending} onClick={make}>
          Generate API key
        </Button>
      }
    >
      {error !== null && (
        <Note tone="failure" title={messages.admin.keyFailed}>
          {adminReason(error)}
        </Note>
      )}
      {shown && <NewKey key={shown.apiKey} {...shown} />}
      <Loaded
        query={query}
        what="API keys"
        failure="Failed to load API keys"
        reasonOf={adminReason}
        lines={2}
      >
        {({ keys }) => (
          <ErasableTable
            label="API keys"
            rows={keys}
            empty={<p className="quiet">No API keys yet.</p>}
            keyOf={({ id }) => id}
            nameOf={({ prefix }) => prefix}
            columns={columns}
            actionsClass={classes.revoke}
            erasing={{
              verb: 'Revoke',
              text: 'This key stops working immediately. This cannot be undone.',
              failure: 'Failed to revoke API key',
              reasonOf: adminReason,
              call: ({ id }) => callAdmin(revokeUserKey, { params: { userId, keyId: id } }),
              onDone: () => refresh('user', 'database', 'audit'),
            }}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const columns = [
  { title: 'Prefix', className: `mono ${table.wide}`, cell: ({ prefix }: Key) => prefix },
  {
    title: 'Created',
    className: `${table.once} ${classes.moment}`,
    cell: (key: Key) => <Day at={key.created_at} />,
  },
  {
    title: 'Last used',
    className: `${table.once} ${classes.moment}`,
    cell: (key: Key) => <Day at={key.last_used_at} />,
  },
]
