/** The user's own API keys: created with a name and a daily limit, shown once, listed by prefix, revoked. */
import { createOwnKey, listOwnKeys, type OwnKey, revokeOwnKey } from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useState } from 'react'
import { call, reasonOf } from '#web/lib/api.ts'
import { countOf, formatDay, formatMinute } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { CallDialog } from '#web/ui/call-dialog.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Announcement, Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { ShownOnce } from '#web/ui/shown-once.tsx'
import table from '#web/ui/table.module.css'
import { KeyForm } from './key-form.tsx'

function ownKeysQuery() {
  return queryOptions({
    queryKey: ['own keys'],
    queryFn: ({ signal }) => call(listOwnKeys, { signal }),
    retry: false,
  })
}

function useRefreshOwnKeys(): () => void {
  const client = useQueryClient()
  return () => void readAgain(client, ownKeysQuery())
}

export function OwnKeys() {
  const query = useQuery(ownKeysQuery())
  const refresh = useRefreshOwnKeys()
  const [doomed, setDoomed] = useState<OwnKey | null>(null)
  const [revoked, setRevoked] = useState<string | null>(null)
  return (
    <Panel title="API keys">
      <p className="quiet">
        For scripts: a key uses your credits. See the <a href="/docs/guide">guide</a> and the{' '}
        <a href="/docs">API reference</a>.
      </p>
      <MakeKey onMade={refresh} />
      {revoked !== null && (
        <Announcement key={revoked} tone="success" takesFocus>
          {revoked} was revoked.
        </Announcement>
      )}
      <Loaded
        query={query}
        what="API keys"
        failure="Failed to load your API keys"
        reasonOf={reasonOf}
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
          title={`Revoke ${nameOf(doomed)}`}
          text="This key stops working immediately. This cannot be undone."
          confirm="Revoke"
          isDangerous
          call={() => call(revokeOwnKey, { params: { keyId: doomed.id } })}
          failure="The key was not revoked"
          reasonOf={reasonOf}
          onDone={() => {
            setRevoked(nameOf(doomed))
            refresh()
          }}
          onClose={() => setDoomed(null)}
        />
      )}
    </Panel>
  )
}

function MakeKey({ onMade }: { onMade: () => void }) {
  const [copied, setCopied] = useState<string | null>(null)
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: (wanted: { name: string; calls_per_day: number | null }) =>
      call(createOwnKey, { body: wanted }),
    onSuccess: onMade,
    // A key that is shown once has no place in a cache.
    gcTime: 0,
  })
  if (data !== undefined) {
    return (
      <ShownOnce
        secret={data.key}
        isCopied={copied === data.key}
        onCopied={() => setCopied(data.key)}
        onDone={reset}
      />
    )
  }
  return (
    <>
      {error !== null && (
        <Note tone="failure" title="The key was not created">
          {reasonOf(error)}
        </Note>
      )}
      <KeyForm isBusy={isPending} onMake={mutate} />
    </>
  )
}

function KeyTable({ keys, onRevoke }: { keys: OwnKey[]; onRevoke: (key: OwnKey) => void }) {
  return (
    <table className={`${table.table} ${table.inset} ${table.stacks}`} aria-label="API keys">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Prefix</th>
          <th scope="col">Calls per day</th>
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
            <td className={table.wide}>{nameOf(key)}</td>
            <td className="mono" data-label="Prefix">
              {key.prefix}
            </td>
            <td data-label="Calls per day">{describeBound(key)}</td>
            <td data-label="Created">{formatDay(key.created_at)}</td>
            <td data-label="Last used">
              {key.last_used_at === null ? 'Never' : formatMinute(key.last_used_at)}
            </td>
            <td>
              <div className={table.actions}>
                <Button
                  variant="subtle"
                  color="gray"
                  aria-label={`Revoke ${nameOf(key)}`}
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

function nameOf({ name, prefix }: OwnKey): string {
  return name === '' ? `${prefix}…` : name
}

function describeBound({ calls_per_day: bound, calls_today: made }: OwnKey): string {
  return bound === null ? 'No limit' : `${made} of ${countOf(bound, 'call')} today`
}
