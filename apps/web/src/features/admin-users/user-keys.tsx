/** A user's API keys: a new one is shown only once, others by prefix. */
import { Button } from '#web/ui/button.ts'
import { listUserKeys, messages, revokeUserKey, type UserKey } from '@pkdex/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { formatDay, formatMinute } from '#web/lib/format.ts'
import { Announcement, Note } from '#web/ui/note.tsx'
import { CallDialog } from '#web/ui/call-dialog.tsx'
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
  const [doomed, setDoomed] = useState<Key | null>(null)
  const [revoked, setRevoked] = useState<string | null>(null)
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
      {revoked !== null && (
        <Announcement key={revoked} tone="success" takesFocus>
          {revoked} was revoked.
        </Announcement>
      )}
      <Loaded
        query={query}
        what="API keys"
        failure="Failed to load API keys"
        reasonOf={adminReason}
        lines={2}
      >
        {({ keys }) =>
          keys.length === 0 ? (
            <p className="quiet">No API keys yet.</p>
          ) : (
            <KeyTable keys={keys} onRevoke={setDoomed} />
          )
        }
      </Loaded>
      {doomed !== null && (
        <CallDialog
          title={`Revoke ${doomed.prefix}`}
          text="This key stops working immediately. This cannot be undone."
          confirm="Revoke"
          isDangerous
          call={() => callAdmin(revokeUserKey, { params: { userId, keyId: doomed.id } })}
          failure="Failed to revoke API key"
          reasonOf={adminReason}
          onDone={() => {
            setRevoked(doomed.prefix)
            refresh('user', 'database', 'audit')
          }}
          onClose={() => setDoomed(null)}
        />
      )}
    </Panel>
  )
}

function KeyTable({ keys, onRevoke }: { keys: Key[]; onRevoke: (key: Key) => void }) {
  return (
    <table className={`${table.table} ${table.inset} ${table.stacks}`} aria-label="API keys">
      <thead>
        <tr>
          <th scope="col">Prefix</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td className={`mono ${table.wide}`}>{key.prefix}</td>
            <td className={`${table.once} ${classes.moment}`} data-label="Created">
              <Moment at={key.created_at} />
            </td>
            <td className={`${table.once} ${classes.moment}`} data-label="Last used">
              {key.last_used_at === null ? (
                <span className="faint">Never</span>
              ) : (
                <Moment at={key.last_used_at} />
              )}
            </td>
            <td className={classes.revoke}>
              <div className={table.actions}>
                <Button
                  variant="subtle"
                  color="gray"
                  aria-label={`Revoke ${key.prefix}`}
                  onClick={() => onRevoke(key)}
                >
                  Revoke
                </Button>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMinute(at)}>
      {formatDay(at)}
    </time>
  )
}
