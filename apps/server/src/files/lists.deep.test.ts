/** What the lists contain besides names, also for files read by earlier versions. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type FileType, readTarget as endpoint } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestDatabase } from '#test/open-test-database.ts'
import { openTestParsing } from '#test/open-test-files.ts'
import { importUpload } from './import-upload.ts'
import { describeCompounds, describeTargets, listCompounds, listTargets } from './service.ts'

const parsingWorkers = openTestParsing()
const t = await openTestDatabase()
const protease = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
afterAll(() => t.close())

test('two files with the same name are distinguished; items from one file share an entry', async () => {
  const { userId } = await openTestSession(t.db)
  await keep(userId, 'protein_pdb', protease)
  await keep(userId, 'protein_pdb', `${protease}REMARK\n`)
  await keep(userId, 'drug_smiles', 'CCO a\nCCN b\n')
  await keep(userId, 'drug_smiles', 'CCC c\n')
  const targets = await listTargets(t.db, userId)
  expect(targets).toEqual({
    protein_names: ['x', 'x (2)'],
    residues: [99, 99],
    file_count: 2,
    file_names: ['x.pdb', 'x.pdb'],
    files: [0, 1],
  })
  const { protein_names: names } = targets
  const [first, second] = (await describeTargets(t.db, userId, names)).map(({ file_id }) => file_id)
  expect(first).toBeTypeOf('string')
  expect(second).not.toBe(first)
  const compounds = await listCompounds(t.db, userId)
  const files = { file_count: 2, file_names: ['x.txt', 'x.txt'], files: [0, 0, 1] }
  expect(compounds).toMatchObject({ compound_names: ['a', 'b', 'c'], ...files })
  expect(compounds.masses[0]).toBeCloseTo(46.07, 1)
  const described = await describeCompounds(t.db, userId, compounds.compound_names)
  const [a, b, c] = described.map(({ file_id }) => file_id)
  expect(a).toBeTypeOf('string')
  expect(b).toBe(a)
  expect(c).not.toBe(a)
})

test('a target with an old report without default_chain is listed', async () => {
  const { userId } = await openTestSession(t.db)
  await keep(userId, 'protein_pdb', protease)
  await sql`update targets set report = report - 'default_chain'
    where user_id = ${userId}`.execute(t.db)
  expect((await listTargets(t.db, userId)).protein_names).toEqual(['x'])
  const [target] = await describeTargets(t.db, userId, ['x'])
  const answer = endpoint.answer.parse(target)
  expect(answer).toMatchObject({ name: 'x', chain: 'A' })
  expect(answer.report).not.toHaveProperty('default_chain')
})

function keep(userId: string, fileType: FileType, content: string) {
  const bytes = Buffer.from(content)
  const sha256 = createHash('sha256').update(bytes).digest()
  const filename = fileType === 'protein_pdb' ? 'x.pdb' : 'x.txt'
  const dependencies = {
    storedBytesPerUser: 2 ** 30,
    db: t.db,
    parsingWorkers,
    now: () => new Date(),
  }
  return importUpload(dependencies, { userId, upload: { fileType, filename, bytes, sha256 } })
}
