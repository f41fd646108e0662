/** Databases of earlier versions, with the rows that those versions wrote. */
import { createHash, randomUUID } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished } from 'vitest'
import { migrations, overPglite } from '#server/platform/db/open.ts'
import { openLog } from '#server/platform/log.ts'
import { compoundKey, sequenceKey } from '#server/predictions/pair-key.ts'
import { countPaid } from '#server/predictions/paid.ts'

const log = openLog('silent')

/** A database whose last migration was this one. */
export async function openOld(last: string) {
  const database = overPglite(await PGlite.create(), log)
  onTestFinished(() => database.close())
  const { error } = await new Migrator({ db: database.db, provider: migrations }).migrateTo(last)
  expect(error).toBeUndefined()
  return database
}

export type OldDatabase = Awaited<ReturnType<typeof openOld>>

export const segments = ['MKVLA', 'GGH']
export const hash = (text: string) => createHash('sha256').update(text).digest()

/** A user with one target and compounds. */
export async function addLibrary({ db }: OldDatabase, smiles: string[]) {
  const [userId, fileId, targetId] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into users (id, email, credits, created_at)
    values (${userId}, 'a@example.org', 97, now())`.execute(db)
  await sql`insert into ledger (user_id, delta, balance_after, reason, actor, created_at)
    values (${userId}, 100, 100, 'first sign-in', 'server', now())`.execute(db)
  await sql`insert into files (id, user_id, file_type, filename, sha256, size_bytes, content, uploaded_at)
    values (${fileId}, ${userId}, 'protein_pdb', 'a.pdb', ${hash('a')}, 0, ${Buffer.alloc(0)}, now())`.execute(
    db,
  )
  await sql`insert into targets (id, user_id, file_id, name, chain, segments, report, content_hash, created_at)
    values (${targetId}, ${userId}, ${fileId}, 'T', 'A', ${JSON.stringify({ A: segments })}, '{}', ${hash('t')}, now())`.execute(
    db,
  )
  const compounds: string[] = []
  for (const one of smiles) {
    const id = randomUUID()
    compounds.push(id)
    await sql`insert into compounds (id, user_id, file_id, name, smiles, standard_smiles, report, content_hash, created_at)
      values (${id}, ${userId}, ${fileId}, ${`C ${one}`}, ${one}, ${one}, '{}', ${hash(one)}, now())`.execute(
      db,
    )
  }
  return { userId, targetId, compounds }
}

export type Library = Awaited<ReturnType<typeof addLibrary>>

/** For each pair of the target, whether it is paid for and known. */
export async function paidOf({ db }: OldDatabase, userId: string, smiles: string[]) {
  const targets = [{ key: sequenceKey(segments) }]
  return Promise.all(
    smiles.map(async (one) => {
      const plan = { keys: [compoundKey(one).toString('latin1')], targets }
      const { unpaid, known } = await countPaid(db, { userId, modelVersion: 'test-1', plan })
      return { isPaid: unpaid === 0, isKnown: known === 1 }
    }),
  )
}
