/**
 * Jobs whose times are in the future because the clock was set back after they were written. Without this they would wait
 * until the clock caught up, and jobs of a dead worker would stay leased until then.
 */
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

/** No job is delayed this long on purpose. */
const AHEAD = sql`now() + interval '1 minute'`

export async function bringForward(db: Database, name: string): Promise<void> {
  await sql`update pgboss.job set start_after = now()
    where name = ${name} and state in ('created', 'retry') and start_after > ${AHEAD}`.execute(db)
  await sql`update pgboss.job set heartbeat_on = now()
    where name = ${name} and state = 'active' and heartbeat_on > ${AHEAD}`.execute(db)
}
