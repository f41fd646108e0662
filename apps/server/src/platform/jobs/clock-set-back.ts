/**
 * Jobs with times in the future, because the clock was set back after they were written: without this they would wait,
 * and a dead worker's would stay leased, until the clock caught up.
 */
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

/** Further ahead than any job is delayed on purpose. */
const AHEAD = sql`now() + interval '1 minute'`

export async function bringForward(db: Database, name: string): Promise<void> {
  await sql`update pgboss.job set start_after = now()
    where name = ${name} and state in ('created', 'retry') and start_after > ${AHEAD}`.execute(db)
  await sql`update pgboss.job set heartbeat_on = now()
    where name = ${name} and state = 'active' and heartbeat_on > ${AHEAD}`.execute(db)
}
