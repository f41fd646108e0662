/** Screens use the features that were stored with the compounds at upload, and give the same numbers without them. */
import { readFile } from 'node:fs/promises'
import { compoundFeatures, openRdkit, packFeatures } from '@pkdex/biochem'
import { expect, onTestFinished, test } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestProduct, type TestProduct } from '#test/open-test-product.ts'

const structure = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const samples = await readFile(
  new URL('../../../../samples/compounds.txt', import.meta.url),
  'utf8',
)
const special = [
  'C[N+](C)(C)CCO.[Cl-] salt',
  'CC(=O)Oc1ccccc1C(=O)[O-].[Na+] sodium-salt',
  'C/C=C/C(=O)N[C@@H](C)c1ccccc1 trans',
  '[18F]CCO/N=C1/CCC[C@H](C)C1 labelled',
]

test('a screen gives the same numbers with stored features and without', async () => {
  const compounds = [...samples.split('\n'), ...special].join('\n')
  const [stored, without] = [await openProduct(), await openProduct()]
  const user = await openUser(stored, compounds)
  const other = await openUser(without, compounds)
  const { numDeletedRows } = await without.db.deleteFrom('compound_features').executeTakeFirst()
  const numbers = await screen(stored, user)
  expect(numbers).toHaveLength(Number(numDeletedRows))
  expect(new Set(numbers.map(({ predicted }) => predicted)).size).toBeGreaterThan(special.length)
  expect(await screen(without, other)).toEqual(numbers)
})

test('a compound with stored features is not read again', async () => {
  const t = await openProduct()
  const user = await openUser(t, 'CCO ethanol\nCCCCO butanol')
  const features = packFeatures(compoundFeatures(await openRdkit(), 'Cn1c(=O)c2c(ncn2C)n(C)c1=O'))
  await t.db
    .updateTable('compound_features')
    .set({ features: Buffer.from(features) })
    .execute()
  const [ethanol, butanol] = await screen(t, user)
  expect(ethanol?.predicted).toBeGreaterThan(0)
  expect(ethanol?.predicted).toBe(butanol?.predicted)
})

/** Each has a model of its own, which remembers no compound of another. */
async function openProduct(): Promise<TestProduct> {
  const t = await openTestProduct()
  onTestFinished(() => t.close())
  await t.startWorker()
  return t
}

async function openUser(t: TestProduct, compounds: string): Promise<TestSession> {
  const user = await openTestSession(t.db)
  await t.upload(user.headers, 'protein_pdb', '1hpv.pdb', structure)
  await t.upload(user.headers, 'drug_smiles', 'compounds.txt', compounds)
  return user
}

/** What is stored of its pairs, in order. */
async function screen(t: TestProduct, { headers }: TestSession) {
  const payload = { targets: ['1hpv'], compounds: 'all' }
  const created = await t.app.inject({ method: 'POST', url: '/screens', headers, payload })
  const { id } = created.json<{ id: string }>()
  const statusOf = async () => {
    const answer = await t.app.inject({ url: `/screens/${id}`, headers })
    return answer.json<{ status: string }>().status
  }
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('DONE')
  const pairs = await t.db.selectFrom('pairs').selectAll().orderBy('row').execute()
  return pairs.map(({ order_number: _order, sequence_id: _sequence, ...numbers }) => numbers)
}
