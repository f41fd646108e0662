/** The user's own API keys: created with a name and a daily limit, shown once, listed by prefix, revoked. */
import { createOwnKey, listOwnKeys, type OwnKey, revokeOwnKey } from '@pkdex/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useState } from 'react'
import { call, reasonOf } from '#web/lib/api.ts'
import { countOf, formatDay, formatMinute } from '#web/lib/format.ts'
import { ErasableTable } from '#web/ui/action-table.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
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
  return (
    <Panel title="API keys">
      <p className="quiet">
        For scripts: a key uses your credits. See the <a href="/docs/guide">guide</a> and the{' '}
        <a href="/docs">API reference</a>.
      </p>
      <MakeKey onMade={refresh} />
      <Loaded
        query={query}
        what="API keys"
        failure="Failed to load your API keys"
        reasonOf={reasonOf}
        lines={2}
      >
        {({ keys }) => (
          <ErasableTable
            label="API keys"
            rows={keys}
            empty={<p className="quiet">No API keys yet.</p>}
            keyOf={({ id }) => id}
            nameOf={nameOf}
            columns={columns}
            erasing={{
              verb: 'Revoke',
              text: 'This key stops working immediately. This cannot be undone.',
              failure: 'The key was not revoked',
              reasonOf,
              call: ({ id }) => call(revokeOwnKey, { params: { keyId: id } }),
              onDone: refresh,
            }}
          />
        )}
      </Loaded>
    </Panel>
  )
}

function MakeKey({ onMade }: { onMade: () => void }) {
  const [copied, setCopied] = useState<string | null>(null)
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: (wanted: { name: string; calls_per_day: number | null }) =>
      call(createOwnKey, { body: wanted }),
    onSuccess: onMade,
    // A key shown only once must not be cached.
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

function nameOf({ name, prefix }: OwnKey): string {
  return name === '' ? `${prefix}…` : name
}

function describeBound({ calls_per_day: bound, calls_today: made }: OwnKey): string {
  return bound === null ? 'No limit' : `${made} of ${countOf(bound, 'call')} today`
}

const columns = [
  { title: 'Name', className: table.wide, cell: nameOf },
  { title: 'Prefix', className: 'mono', cell: ({ prefix }: OwnKey) => prefix },
  { title: 'Calls per day', cell: describeBound },
  { title: 'Created', cell: (key: OwnKey) => formatDay(key.created_at) },
  {
    title: 'Last used',
    cell: ({ last_used_at: at }: OwnKey) => (at === null ? 'Never' : formatMinute(at)),
  },
]
