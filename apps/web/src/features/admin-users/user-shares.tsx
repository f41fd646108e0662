/** The screens that a user shares, each of which an administrator can end. */
import { endUserShare, listUserShares } from '@pkdex/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { adminReason, callAdmin } from '#web/lib/admin-api.ts'
import { Day } from '#web/lib/day.tsx'
import { ErasableTable } from '#web/ui/action-table.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { useRefreshAdmin } from './users-query.ts'

type UserShare = z.infer<typeof listUserShares.answer>['shares'][number]

function sharesQuery(userId: string) {
  return queryOptions({
    queryKey: ['admin', 'user', userId, 'shares'],
    queryFn: ({ signal }) => callAdmin(listUserShares, { params: { userId }, signal }),
  })
}

export function UserShares({ userId }: { userId: string }) {
  const refresh = useRefreshAdmin()
  return (
    <Panel title="Shared screens">
      <Loaded
        query={useQuery(sharesQuery(userId))}
        what="shared screens"
        failure="Failed to load shared screens"
        reasonOf={adminReason}
        lines={2}
      >
        {({ shares }) => (
          <ErasableTable
            label="Shared screens"
            rows={shares}
            empty={<p className="quiet">Nothing is shared.</p>}
            keyOf={({ id }) => id}
            nameOf={nameOf}
            columns={columns}
            erasing={{
              verb: 'End',
              text: 'Its viewers no longer see the screen.',
              failure: 'The share was not ended',
              reasonOf: adminReason,
              call: ({ id }) => callAdmin(endUserShare, { params: { userId, shareId: id } }),
              onDone: () => refresh('user', 'database', 'audit'),
            }}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const nameOf = ({ screen, screen_id }: UserShare) => screen ?? screen_id

const columns = [
  { title: 'Screen', className: table.wide, cell: nameOf },
  { title: 'With', cell: ({ email }: UserShare) => email ?? 'Everyone with the link' },
  { title: 'Since', className: table.once, cell: (one: UserShare) => <Day at={one.created_at} /> },
]
