import { compoundFeatures, openRdkit } from '@pkdex/biochem'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestFiles, openTestParsing, uploadTo } from '#test/open-test-files.ts'
import { readStoredFeatures } from './stored-features.ts'

const t = await openTestFiles({ parsingWorkers: openTestParsing() })
afterAll(() => t.close())

const amide = 'C/C=C/C(=O)N[C@@H](C)c1ccccc1'

async function openUser() {
  const user = await openTestSession(t.db)
  const content = `${amide} amide\nCCO ethanol\nOCC twin\n`
  await uploadTo(t.app, user.headers, { type: 'drug_smiles', filename: 'some.txt', content })
  return user
}

test('features are those that the model would compute, once per molecule', async () => {
  const rdkit = await openRdkit()
  const { userId } = await openUser()
  const wanted = [amide, 'CCO', 'CCN']
  const found = await readStoredFeatures(t.db, userId, wanted)
  expect([...found.keys()].toSorted()).toEqual([amide, 'CCO'])
  for (const [smiles, features] of found) expect(features).toEqual(compoundFeatures(rdkit, smiles))
})

test('features of another user, and damaged ones, are not returned', async () => {
  const [{ userId }, other] = [await openUser(), await openUser()]
  const own = t.db.selectFrom('compounds').select('id').where('user_id', '=', userId)
  await t.db
    .updateTable('compound_features')
    .set({ features: sql<Buffer>`set_byte(features, 9, 255 - get_byte(features, 9))` })
    .where('compound_id', 'in', own.where('name', '=', 'amide'))
    .execute()
  await t.db
    .deleteFrom('compound_features')
    .where('compound_id', 'in', own.where('name', '!=', 'amide'))
    .execute()
  expect(await readStoredFeatures(t.db, userId, [amide, 'CCO'])).toEqual(new Map())
  expect((await readStoredFeatures(t.db, other.userId, [amide, 'CCO'])).size).toBe(2)
})
