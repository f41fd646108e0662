/** `/admin`: four numbers, two quick actions, and the state of the system. */
import { messages } from '@pkdex/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { DebugTest } from '#web/features/admin-auth/debug-test.tsx'
import { statsQuery } from '#web/features/admin-database/database-query.ts'
import { StatCards } from '#web/features/admin-database/stat-cards.tsx'
import { adminReason } from '#web/lib/admin-api.ts'
import { Note } from '#web/ui/note.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
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
        <div className={classes.failure}>
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
          <DebugTest />
        </div>
      )}
      <StatCards stats={data} isLoading={isFetching && data === undefined} />
      <div className={classes.columns}>
        <Panel title="Quick Actions">
          <QuickAction
            to="/admin/users/create"
            icon="plus"
            title="Create New User"
            text="E-mail, credits, Google ID"
          />
          <QuickAction
            to="/admin/database/export"
            icon="download"
            title="Export Database"
            text="One zip of every collection"
          />
        </Panel>
        <SystemHealth />
      </div>
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
        <strong>{title}</strong>
        <small>{text}</small>
      </span>
      <ToolIcon name="forward" />
    </Link>
  )
}

/** Says the same at all times, as the specification wants it. */
function SystemHealth() {
  return (
    <Panel title="System Health">
      <dl className={classes.health}>
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
