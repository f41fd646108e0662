/** A user's files, as administrators see them: however many there are, an answer stays short. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession } from '#server/auth/open-test-session.ts'
import { openTestAdmin, type TestAdmin } from './open-test-admin.ts'

let t: TestAdmin
beforeAll(async () => {
  t = await openTestAdmin()
})
afterAll(() => t.close())

test('GET …/files answers a page, and without one no more than 200', async () => {
  const { userId } = await openTestSession(t.db)
  await sql`insert into files (user_id, file_type, filename, sha256, size_bytes, content, uploaded_at)
    select ${userId}, 'protein_pdb', i || '.pdb', sha256(i::text::bytea), 1, '', now() - i * interval '1 minute'
    from generate_series(1, 205) i`.execute(t.db)
  const url = `/admin/users/${userId}/files`
  const first = await t.call('GET', url)
  expect(first.json().files).toHaveLength(200)
  expect(first.headers['x-total-count']).toBe('205')
  const page = await t.call('GET', `${url}?page=2&page_size=2`)
  expect(page.json().files).toMatchObject([{ filename: '3.pdb' }, { filename: '4.pdb' }])
})
