/**
 * Jobs whose times lie in the future, because the clock was set back since they were written: they would wait, and a
 * dead worker's would be held, until the clock has caught up.
 */
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

/** Further ahead than any job is put off on purpose. */
const AHEAD = sql`now() + interval '1 minute'`

export async function bringForward(db: Database, name: string): Promise<void> {
  await sql`update pgboss.job set start_after = now()
    where name = ${name} and state in ('created', 'retry') and start_after > ${AHEAD}`.execute(db)
  await sql`update pgboss.job set heartbeat_on = now()
    where name = ${name} and state = 'active' and heartbeat_on > ${AHEAD}`.execute(db)
}
