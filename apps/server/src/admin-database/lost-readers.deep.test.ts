/** Readers of exports who disconnect or pause take nothing from the others. */
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { openSnapshots } from '#server/platform/db/snapshots.ts'
import { openTestAdmin } from '#test/open-test-admin.ts'
import { readTestZip } from '#test/read-test-zip.ts'
import { exportAll } from './export.ts'

const t = await openTestAdmin()
afterAll(() => t.close())

test('readers who disconnect leave no cursor and block no other reader', async () => {
  await sql`insert into ledger (user_id, delta, balance_after, reason, actor, created_at)
    select gen_random_uuid(), 1, i, 'administrator', repeat('x', 300), now()
    from generate_series(1, 20000) i`.execute(t.db)
  const address = await t.app.listen({ host: '127.0.0.1', port: 0 })
  const { headers } = t.administrator
  for (const path of ['export/credit_ledger', 'export-all', 'export/credit_ledger', 'export-all']) {
    const leaving = new AbortController()
    const { signal } = leaving
    const answer = await fetch(`${address}/admin/database/${path}`, { headers, signal })
    const reader = answer.body?.getReader()
    await reader?.read()
    leaving.abort()
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_cursors where name like 'snapshot%'`.execute(t.db)
      expect(rows).toHaveLength(0)
    }, 50_000)
  }
  const { body } = await t.call('GET', '/admin/database/export/credit_ledger?format=csv')
  expect(body.split('\n').length).toBeGreaterThan(20_000)
})

const lost = /the snapshot was closed|cursor .* does not exist|Premature close/

test('a reader who pauses a full export for too long loses only this export', async () => {
  const snapshots = openSnapshots(t, { stallMsMax: 200 })
  const zip = await exportAll({ db: t.db, snapshots, now: t.clock.now }, t.administrator.email)
  // On a slow machine a page may have been in progress when the snapshot was lost: then the zip has failed already.
  zip.on('error', () => undefined)
  await vi.waitFor(async () => {
    const { rows } = await sql`select 1 from pg_cursors where name like 'snapshot%'
      union all select 1 from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start is not null`.execute(
      t.db,
    )
    expect(rows).toHaveLength(0)
  }, 50_000)
  await expect(buffer(zip)).rejects.toThrow(lost)
  const patient = { db: t.db, snapshots: openSnapshots(t), now: t.clock.now }
  const again = await exportAll(patient, t.administrator.email)
  expect((await readTestZip(await buffer(again))).size).toBeGreaterThan(15)
})
