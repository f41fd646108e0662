/** A whole enumeration in one POST /predict, and what a pair takes of the database. */
import { PairsAnswer, PairsQuote } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'

const t = await openTestPredictions({ parsingWorkers: openTestParsing() })
t.work()
afterAll(async () => {
  await t.stopWorkers()
  await t.close()
})

test('SPEC 31.12: more than a thousand SMILES are one order', async () => {
  const user = await t.addUser({ credits: 2000, targets: 1, compounds: 0 })
  const smiles = Array.from({ length: 1200 }, (_, at) => {
    return `${'C'.repeat(1 + (at % 40))}OC(=O)${'C'.repeat(1 + Math.floor(at / 40))}`
  })
  const quote = await user.call('POST', '/predict/quote', { payload: { smiles, target: 'T1' } })
  expect(PairsQuote.parse(quote.json())).toMatchObject({ total: 1200, credits_needed: 1200 })
  const answer = PairsAnswer.parse(
    (await user.call('POST', '/predict', { payload: { smiles, target: 'T1' } })).json(),
  )
  expect(answer).toMatchObject({ status: 'DONE', credits_charged: 1200 })
  expect(answer.predictions.every(({ predicted_kd: pkd }) => pkd !== null)).toBe(true)
})

test('a pair takes at most 250 bytes of the database, including its share of names and indexes', async () => {
  const many = await t.addUser({ credits: 50_000, targets: 10, compounds: 0 })
  const compounds = Array.from({ length: 2000 }, (_, place) => `compound ${place}`)
  await sql`insert into compounds
    (user_id, file_id, name, smiles, standard_smiles, report, content_hash, created_at)
    select user_id, id, 'compound ' || place, md5(place::text) || md5((place + 1)::text),
      md5(place::text) || md5((place + 1)::text), '{}', sha256(place::text::bytea), now()
    from files, generate_series(0, 1999) as place where user_id = ${many.userId}`.execute(t.db)
  const before = await readBytes()
  const screen = await many.started({ targets: many.targets, compounds })
  expect((await many.untilEnded(screen.id)).done).toBe(20_000)
  const bytes = ((await readBytes()) - before) / 20_000
  expect(bytes).toBeGreaterThan(100)
  expect(bytes).toBeLessThan(250)
})

async function readBytes(): Promise<number> {
  const { rows } = await sql<{
    bytes: number
  }>`select sum(pg_total_relation_size(name))::bigint as bytes
    from unnest(array['orders', 'order_targets', 'order_rows', 'pairs', 'sequences', 'blocks', 'ledger']) as list (name)`.execute(
    t.db,
  )
  return rows[0]?.bytes ?? 0
}
