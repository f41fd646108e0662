import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestDatabase } from '#test/open-test-database.ts'
import { forgetOld } from './retention.ts'

const database = await openTestDatabase()
afterAll(() => database.close())

const DAY_MS = 24 * 3_600_000
const now = new Date('2026-11-22T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)

test('SPEC 27.5: expired rows are deleted, usable rows are kept', async () => {
  const { db } = database
  const alive = await openTestSession(db, { now })
  // A session ends at most a week after its last request.
  const recent = await openTestSession(db, { now: daysAgo(20) })
  const old = await openTestSession(db, { now: daysAgo(90) })
  await sql`insert into keys (user_id, kind, prefix, hash, created_at, last_used_at)
    values (${old.userId}, 'programmatic', 'x', '\\x01', ${daysAgo(900)}, ${daysAgo(900)})`.execute(
    db,
  )
  await sql`insert into key_pages (key_id, page_id, claimed_at)
    select id, 'page', ${daysAgo(90)} from keys where user_id = ${old.userId} and kind = 'session'`.execute(
    db,
  )
  await sql`insert into used_nonces (nonce, expires_at) values ('old', ${daysAgo(1)}), ('new', ${daysAgo(-1)})`.execute(
    db,
  )
  await sql`insert into invitations (user_id, code_hash, expires_at) values
    (${old.userId}, '\\x01', ${daysAgo(1)}), (${alive.userId}, '\\x02', ${daysAgo(-1)})`.execute(db)
  await sql`insert into sign_in_failures (bucket, failed_at) values ('old', ${daysAgo(2)}), ('new', ${now})`.execute(
    db,
  )
  for (let picture = 0; picture < 1200; picture += 400) {
    await sql`insert into previews (content_hash, kind, theme, media_type, alt, body, created_at)
      select sha256((${picture} + i)::text::bytea), 'molecule', 'light', 'image/svg+xml', '', '', ${daysAgo(200)}
      from generate_series(1, 400) i`.execute(db)
  }
  await sql`insert into previews (content_hash, kind, theme, media_type, alt, body, created_at)
    values ('new', 'molecule', 'light', 'image/svg+xml', '', '', ${daysAgo(100)})`.execute(db)
  const ledger = await db.selectFrom('ledger').selectAll().execute()

  await forgetOld(db, now)

  const keys = await db.selectFrom('keys').select(['user_id', 'kind']).execute()
  expect(keys).toHaveLength(3)
  expect(keys).toEqual(
    expect.arrayContaining([
      { user_id: alive.userId, kind: 'session' },
      { user_id: recent.userId, kind: 'session' },
      { user_id: old.userId, kind: 'programmatic' },
    ]),
  )
  expect(await db.selectFrom('key_pages').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('used_nonces').select('nonce').execute()).toEqual([{ nonce: 'new' }])
  expect(await db.selectFrom('invitations').select('user_id').execute()).toEqual([
    { user_id: alive.userId },
  ])
  expect(await db.selectFrom('sign_in_failures').select('bucket').execute()).toEqual([
    { bucket: 'new' },
  ])
  expect(await db.selectFrom('previews').selectAll().execute()).toHaveLength(1)
  expect(await db.selectFrom('users').selectAll().execute()).toHaveLength(3)
  expect(await db.selectFrom('ledger').selectAll().execute()).toEqual(ledger)
})
