/** A user's files as administrators see them: all of them, or one page. */
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestAdmin } from '#test/open-test-admin.ts'

const t = await openTestAdmin()
afterAll(() => t.close())

test('SPEC 7.18: GET …/files returns every file, and with `page` one page and the total', async () => {
  const { userId } = await openTestSession(t.db)
  await sql`insert into files (user_id, file_type, filename, sha256, size_bytes, content, uploaded_at)
    select ${userId}, 'protein_pdb', i || '.pdb', sha256(i::text::bytea), 1, '', now() - i * interval '1 minute'
    from generate_series(1, 205) i`.execute(t.db)
  const url = `/admin/users/${userId}/files`
  const first = await t.call('GET', url)
  expect(first.json().files.map(({ filename }: { filename: string }) => filename)).toEqual(
    Array.from({ length: 205 }, (_, place) => `${place + 1}.pdb`),
  )
  const page = await t.call('GET', `${url}?page=2&page_size=2`)
  expect(page.headers['x-total-count']).toBe('205')
  expect(page.json().files).toMatchObject([{ filename: '3.pdb' }, { filename: '4.pdb' }])
})
