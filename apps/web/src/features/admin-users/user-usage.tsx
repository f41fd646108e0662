/** When a user was last seen, and usage in the last 30 days. */
import { USAGE_DAYS } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { adminReason } from '#web/lib/admin-api.ts'
import { Day } from '#web/lib/day.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { userUsageQuery } from './usage-query.ts'
import classes from './user-usage.module.css'

export function UserUsage({ userId }: { userId: string }) {
  return (
    <Panel title="Usage">
      <Loaded
        query={useQuery(userUsageQuery([userId]))}
        what="usage"
        failure="Failed to load usage"
        reasonOf={adminReason}
        lines={2}
      >
        {(users) => {
          const usage = users.get(userId)
          return (
            <dl className={classes.facts}>
              <div>
                <dt>Last seen</dt>
                <dd>
                  <Day at={usage?.last_seen_at ?? null} />
                </dd>
              </div>
              <div>
                <dt>Predictions in {USAGE_DAYS} days</dt>
                <dd>{(usage?.predictions ?? 0).toLocaleString('en')}</dd>
              </div>
              <div>
                <dt>Credits used in {USAGE_DAYS} days</dt>
                <dd>{(usage?.credits_used ?? 0).toLocaleString('en')}</dd>
              </div>
            </dl>
          )
        }}
      </Loaded>
    </Panel>
  )
}
