/** What the lists say beyond the names, of files read long ago as well. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type FileType, listTargets as endpoint } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession } from '#server/auth/open-test-session.ts'
import { openTestDatabase } from '#server/db/open-test-database.ts'
import type { OpenDatabase } from '#server/db/open.ts'
import { openWorkshop } from '#server/workshop/open-workshop.ts'
import { keepUpload } from './keep-upload.ts'
import { listCompounds, listTargets } from './lists.ts'

const workshop = openWorkshop({ threads: 1 })
let t: OpenDatabase
let protease: string
beforeAll(async () => {
  t = await openTestDatabase()
  protease = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
})
afterAll(async () => {
  await t.close()
  await workshop.close()
})

test('two files under one name are told apart, what came of one file is not', async () => {
  const { userId } = await openTestSession(t.db)
  await keep(userId, 'protein_pdb', protease)
  await keep(userId, 'protein_pdb', `${protease}REMARK\n`)
  await keep(userId, 'drug_smiles', 'CCO a\nCCN b\n')
  await keep(userId, 'drug_smiles', 'CCC c\n')
  const [first, second] = (await listTargets(t.db, userId)).map(({ file_id }) => file_id)
  expect(first).toBeTypeOf('string')
  expect(second).not.toBe(first)
  const [a, b, c] = (await listCompounds(t.db, userId)).map(({ file_id }) => file_id)
  expect(a).toBeTypeOf('string')
  expect(b).toBe(a)
  expect(c).not.toBe(a)
})

test('a target from before reports named their default chain is listed like any other', async () => {
  const { userId } = await openTestSession(t.db)
  await keep(userId, 'protein_pdb', protease)
  await sql`update targets set report = report - 'default_chain'
    where user_id = ${userId}`.execute(t.db)
  const targets = await listTargets(t.db, userId)
  const answer = endpoint.answer.parse({ protein_names: ['x'], targets })
  expect(answer.targets).toMatchObject([{ name: 'x', chain: 'A' }])
  expect(answer.targets[0]?.report).not.toHaveProperty('default_chain')
})

function keep(userId: string, fileType: FileType, content: string) {
  const bytes = Buffer.from(content)
  const sha256 = createHash('sha256').update(bytes).digest()
  const filename = fileType === 'protein_pdb' ? 'x.pdb' : 'x.txt'
  const parts = { db: t.db, workshop, now: () => new Date() }
  return keepUpload(parts, { userId, upload: { fileType, filename, bytes, sha256 } })
}
