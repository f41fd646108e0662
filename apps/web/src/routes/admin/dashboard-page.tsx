/** `/admin`: four numbers, two quick actions, the system's state, and predictions per day. */
import { Box, ColumnGrid, Stack } from '#web/ui/layout.ts'
import { Button } from '#web/ui/button.ts'
import { messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { DebugAuthTest } from '#web/features/admin-auth/debug-auth-test.tsx'
import { type DatabaseStats, statsQuery } from '#web/features/admin-database/database-query.ts'
import { UsageByDay } from '#web/features/admin-users/usage-by-day.tsx'
import { adminReason } from '#web/lib/admin-api.ts'
import { Note } from '#web/ui/note.tsx'
import { PageHead, Panel } from '#web/ui/panel.tsx'
import { SkeletonNumber } from '#web/ui/loaded.tsx'
import { StatusDot } from '#web/ui/table.tsx'
import { ToolIcon, type ToolIconName } from '#web/ui/tool-icon.tsx'
import classes from './dashboard-page.module.css'

export function DashboardPage() {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(statsQuery())
  return (
    <>
      <title>Dashboard · pKdex</title>
      <PageHead title="Dashboard">
        {data !== undefined && (
          <span className="quiet small">
            Updated {new Date(dataUpdatedAt).toLocaleTimeString('en-GB')}
          </span>
        )}
      </PageHead>
      {error !== null && !isFetching && (
        <Stack gap="md" mb="lg">
          <Note
            tone="failure"
            action={
              <Button variant="default" onClick={() => void refetch()}>
                Retry
              </Button>
            }
          >
            {messages.admin.dashboardFailed(adminReason(error))}
          </Note>
          <DebugAuthTest />
        </Stack>
      )}
      <StatCards stats={data} isLoading={isFetching && data === undefined} />
      <ColumnGrid template="minmax(0, 1.35fr) minmax(0, 1fr)" below={860} mt="lg">
        <Panel title="Quick Actions">
          <QuickAction
            to="/admin/users/create"
            icon="plus"
            title="Create New User"
            text="Email, credits, Google ID"
          />
          <QuickAction
            to="/admin/database/export"
            icon="download"
            title="Export Database"
            text="All collections in one zip"
          />
        </Panel>
        <SystemHealth />
      </ColumnGrid>
      <Box mt="lg">
        <UsageByDay userId={null} />
      </Box>
    </>
  )
}

type QuickActionProps = { to: string; icon: ToolIconName; title: string; text: string }

function QuickAction({ to, icon, title, text }: QuickActionProps) {
  return (
    <Link className={classes.action} to={to}>
      <span className={classes.tile}>
        <ToolIcon name={icon} />
      </span>
      <span>
        <Box component="strong" fw={600}>
          {title}
        </Box>
        <Box component="small" className="quiet small" display="block">
          {text}
        </Box>
      </span>
      <ToolIcon name="forward" />
    </Link>
  )
}

/** Always shows the same, as the specification requires. */
function SystemHealth() {
  return (
    <Panel title="System Health">
      <dl className="facts">
        <div>
          <dt>API Status</dt>
          <dd>
            <StatusDot isOn>Online</StatusDot>
          </dd>
        </div>
        <div>
          <dt>Database Connection</dt>
          <dd>
            <StatusDot isOn>Connected</StatusDot>
          </dd>
        </div>
      </dl>
    </Panel>
  )
}

type StatCardsProps = { stats: DatabaseStats | undefined; isLoading: boolean }

const cards: { label: string; read: (stats: DatabaseStats) => number }[] = [
  { label: 'Total Users', read: ({ user_count }) => user_count },
  { label: 'Active API Keys', read: ({ active_api_key_count }) => active_api_key_count },
  { label: 'Total Credits', read: ({ total_credits }) => total_credits },
  { label: 'Database Collections', read: ({ collections }) => Object.keys(collections).length },
]

/** The four cards of the dashboard. An unknown number is a dash, never 0. */
function StatCards({ stats, isLoading }: StatCardsProps) {
  return (
    <dl className={`sheet ${classes.cards}`} aria-busy={isLoading}>
      {cards.map(({ label, read }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Value number={stats && read(stats)} isLoading={isLoading} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ number, isLoading }: { number: number | undefined; isLoading: boolean }) {
  if (number !== undefined) return number.toLocaleString('en')
  if (isLoading) return <SkeletonNumber />
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">unknown</span>
    </>
  )
}
