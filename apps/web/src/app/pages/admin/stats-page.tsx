/** `/admin/database/stats`: what lies in the database, collection by collection. */
import { Button } from '@mantine/core'
import { messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { CollectionTable } from '#web/features/admin-database/collection-table.tsx'
import { type DatabaseStats, statsQuery } from '#web/features/admin-database/database-query.ts'
import { adminReason } from '#web/lib/admin-api.ts'
import { Note } from '#web/ui/note.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { SkeletonLines } from '#web/ui/skeleton.tsx'
import table from '#web/ui/table.module.css'
import classes from './stats-page.module.css'

export function StatsPage() {
  const { data, error, isFetching, refetch } = useQuery(statsQuery())
  return (
    <>
      <title>Database Stats · pKdex</title>
      <PageHead title="Database Stats" below={data && summaryOf(data)}>
        <Button variant="default" loading={isFetching && !!data} onClick={() => void refetch()}>
          Refresh
        </Button>
      </PageHead>
      {error !== null && (
        <div className={classes.failure}>
          <Note tone="failure" title={messages.admin.statsFailed}>
            {adminReason(error)}
          </Note>
        </div>
      )}
      {data !== undefined && (
        <section className={`sheet ${table.sheet}`} aria-label="Collections">
          <CollectionTable stats={data} />
        </section>
      )}
      {data === undefined && error === null && (
        <section className="sheet">
          <SkeletonLines lines={9} what="the statistics" />
        </section>
      )}
    </>
  )
}

function summaryOf({ user_count, active_api_key_count }: DatabaseStats): string {
  const users = `${user_count.toLocaleString('en')} ${user_count === 1 ? 'user' : 'users'}`
  const keys = active_api_key_count === 1 ? 'active API key' : 'active API keys'
  return `${users}, ${active_api_key_count.toLocaleString('en')} ${keys}`
}
