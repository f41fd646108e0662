/** Upgrading a database from before reports were bounded: large reports are cut, and their counts are kept. */
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { migrate, migrations, overPglite } from './open.ts'

test('the migration cuts stored reports with thousands of gaps and modified residues, and counts the rest', async () => {
  const database = overPglite(await PGlite.create(), openLog('silent'))
  const { db } = database
  const migrator = new Migrator({ db, provider: migrations })
  await migrator.migrateTo('0002-administration')
  await sql`with one as (
      insert into users (email, credits, created_at) values ('ada@example.org', 1, now()) returning id
    ), file as (
      insert into files (user_id, file_type, filename, sha256, size_bytes, content, uploaded_at)
      select id, 'protein_pdb', 'x.pdb', 'x', 1, 'x', now() from one returning id, user_id
    )
    insert into targets (user_id, file_id, name, chain, segments, report, content_hash, created_at)
    select user_id, id, name, 'B', ${JSON.stringify({ A: ['GG'], B: ['GGG', 'AA'] })}::jsonb, report::jsonb, 'x', now()
    from file, (values ('large', ${JSON.stringify(report(3000))}), ('small', ${JSON.stringify(report(2))})) as reports (name, report)`.execute(
    db,
  )
  await migrate(db)
  const upgraded = report(3000)
  const [first, second] = upgraded.chains
  const large = {
    ...upgraded,
    chains: [{ ...first, gaps: first?.gaps.slice(0, 50), gap_count: 3000 }, second],
    mapped: upgraded.mapped.slice(0, 100),
    mapped_count: 3000,
  }
  expect(await db.selectFrom('targets').selectAll().orderBy('seq').execute()).toMatchObject([
    { name: 'large', residues: 5, report: large },
    { name: 'small', residues: 5, report: report(2) },
  ])
  await db.updateTable('targets').set({ chain: 'A' }).where('name', '=', 'small').execute()
  const rows = await db.selectFrom('targets').select('residues').orderBy('seq').execute()
  expect(rows.map(({ residues }) => residues)).toEqual([5, 2])
  await database.close()
})

function report(count: number) {
  const gaps = Array.from({ length: count }, (_, at) => {
    return { after: `ALA ${at}`, before: `ALA ${at + 1}`, missing: null }
  })
  const mapped = gaps.map((_, at) => ({ from: `X${at}`, to: 'MET', count: 1 }))
  const chains = [
    { id: 'A', kind: 'protein', residues: 2, missing: null, gaps },
    { id: 'B', kind: 'protein', residues: 5, missing: null, gaps: [] },
  ]
  return { title: null, pdb_code: null, chains, mapped, dropped: [], warnings: [] }
}
