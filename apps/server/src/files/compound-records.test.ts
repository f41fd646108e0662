/** Properties, alerts and features: computed at upload, stored with the compound, and added later to older compounds. */
import { createHash } from 'node:crypto'
import { compoundFeatures, openRdkit, unpackFeatures } from '@pkdex/biochem'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const t = await openTestProduct()
const user = await openTestSession(t.db)
afterAll(() => t.close())

const azo = 'Oc1ccc(O)c(N=Nc2ccccc2)c1'
const read = async (name: string) =>
  (await t.app.inject({ url: `/file_manager/compounds/${name}`, headers: user.headers })).json<
    Record<string, unknown>
  >()
const stored = () =>
  t.db
    .selectFrom('compounds')
    .select(['name', 'properties', sql<number>`pg_column_size(properties)`.as('bytes')])
    .where('user_id', '=', user.userId)
    .orderBy('seq')
    .execute()
/** By name, as stored. */
async function featuresOf(userId: string) {
  const rows = await t.db
    .selectFrom('compounds')
    .innerJoin('compound_features', 'compound_id', 'id')
    .select(['name', 'features'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map(({ name, features }) => [name, unpackFeatures(features)]))
}

test('SPEC 32.1: an upload stores properties and alerts in at most 120 bytes per compound', async () => {
  const lines = `CC(=O)Oc1ccccc1C(=O)O aspirin\n${azo} azo\n`
  const answer = await t.upload(user.headers, 'drug_smiles', 'two.txt', lines)
  expect(answer.json()).toMatchObject({
    flagged_count: 2,
    flagged: [
      { name: 'aspirin', alerts: ['Brenk phenol ester'] },
      { name: 'azo', alerts: ['PAINS azo_A(324)', 'Brenk diazo group', 'Brenk hydroquinone'] },
    ],
  })
  const rows = await stored()
  expect(rows).toHaveLength(2)
  for (const { bytes } of rows) {
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(120)
  }
})

test('SPEC 32.1: a compound is returned with its properties and the names of its alerts', async () => {
  expect(await read('azo')).toMatchObject({
    properties: {
      mass: expect.closeTo(214.224, 3),
      log_p: expect.closeTo(3.4994, 1),
      heavy_atoms: 16,
      donors: 2,
      rings: 2,
      charge: 0,
    },
    alerts: ['PAINS azo_A(324)', 'Brenk diazo group', 'Brenk hydroquinone'],
  })
})

test('SPEC 32.1: properties and features of a compound uploaded before are computed when it is read, and stored', async () => {
  await t.db
    .updateTable('compounds')
    .set({ properties: null })
    .where('user_id', '=', user.userId)
    .execute()
  await t.db.deleteFrom('compound_features').execute()
  expect(await read('aspirin')).toMatchObject({ properties: { heavy_atoms: 13 } })
  expect([...(await featuresOf(user.userId)).keys()]).toEqual(['aspirin'])
  const rows = await stored()
  expect(rows.map(({ name, properties }) => [name, properties !== null])).toEqual([
    ['aspirin', true],
    ['azo', false],
  ])
})

test('SPEC 32.10: an upload counts each compound with alerts once, those of an earlier upload too', async () => {
  const lines = `${azo} azo\n${azo} azo\nCCO ethanol\n`
  const answer = await t.upload(user.headers, 'drug_smiles', 'again.txt', lines)
  expect(answer.json()).toMatchObject({
    names: ['azo', 'ethanol'],
    flagged_count: 1,
    flagged: [{ name: 'azo' }],
  })
})

test('stereoisomers are stored with the key of their structure without stereochemistry', async () => {
  const other = await openTestSession(t.db)
  const lines = 'C[C@H](N)CC s\nC[C@@H](N)CC r\nCCC(C)N flat\nC/C=C/C trans\n'
  await t.upload(other.headers, 'drug_smiles', 'isomers.txt', lines)
  const rows = await t.db
    .selectFrom('compounds')
    .select(['name', sql<string>`encode(flat_key, 'hex')`.as('flat')])
    .select(sql<string>`encode(substr(content_hash, 1, 8), 'hex')`.as('own'))
    .where('user_id', '=', other.userId)
    .orderBy('seq')
    .execute()
  const [s, r, flat, trans] = rows
  expect([s?.flat, r?.flat, flat?.flat]).toEqual([flat?.own, flat?.own, null])
  expect(trans?.flat).toBe(createHash('sha256').update('CC=CC').digest('hex').slice(0, 16))
})

test('an upload stores the features of its compounds, which go with them and use none of the storage', async () => {
  const other = await openTestSession(t.db)
  const lines = 'C[C@H](N)CC.Cl salt\nC/C=C/C trans\n[18F]CC[C@H](C)O labelled\n'
  await t.upload(other.headers, 'drug_smiles', 'features.txt', lines)
  const rdkit = await openRdkit()
  const rows = await t.db
    .selectFrom('compounds')
    .select(['name', 'standard_smiles'])
    .where('user_id', '=', other.userId)
    .execute()
  const computed = rows.map(
    ({ name, standard_smiles: smiles }) => [name, compoundFeatures(rdkit, smiles)] as const,
  )
  expect(computed).toHaveLength(3)
  expect(await featuresOf(other.userId)).toEqual(new Map(computed))
  const { headers } = other
  const usage = await t.app.inject({ url: '/file_manager/usage', headers })
  expect(usage.json()).toMatchObject({ bytes_used: lines.length })
  await t.app.inject({ method: 'DELETE', url: '/file_manager/compounds/trans', headers })
  expect([...(await featuresOf(other.userId)).keys()].toSorted()).toEqual(['labelled', 'salt'])
  const before = await countFeatures()
  await t.db.deleteFrom('users').where('id', '=', other.userId).execute()
  expect(await countFeatures()).toBe(before - 2)
})

async function countFeatures(): Promise<number> {
  const { count } = await t.db
    .selectFrom('compound_features')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
