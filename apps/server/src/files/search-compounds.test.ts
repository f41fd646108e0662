/** Searching the user's compounds by a structure. */
import { searchCompounds } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const compounds = [
  'CNc1ncnc2cc(Cl)ccc12 chloro',
  'CNc1ncnc2cc(F)ccc12 fluoro',
  'CNc1ncnc2cc(F)ccc12 twin',
  'CCCCCCCO heptanol',
].join('\n')

const t = await openTestProduct()
const user = await openTestSession(t.db)
await t.upload(user.headers, 'drug_smiles', 'mine.txt', compounds)
afterAll(() => t.close())

async function search(query: Record<string, string>, by = user) {
  const url = `/file_manager/compound_search?${new URLSearchParams(query).toString()}`
  const answer = await t.app.inject({ url, headers: by.headers })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}

async function find(query: Record<string, string>) {
  const { body } = await search(query)
  return searchCompounds.answer.parse(body)
}

test('SPEC 19.17: similar compounds are found, most similar first', async () => {
  const { total, compounds: found } = await find({
    kind: 'similarity',
    smiles: 'CNc1ncnc2cc(F)ccc12',
  })
  expect(total).toBe(3)
  expect(found.map(({ name }) => name)).toEqual(['fluoro', 'twin', 'chloro'])
  expect(found[0]?.similarity).toBe(1)
  expect(found[2]?.similarity).toBeLessThan(1)
})

test('SPEC 19.17: the lowest similarity and the number of compounds can be chosen', async () => {
  const query = { kind: 'similarity', smiles: 'CNc1ncnc2cc(F)ccc12', min_similarity: '0.99' }
  expect((await find(query)).compounds.map(({ name }) => name)).toEqual(['fluoro', 'twin'])
  expect(await find({ ...query, min_similarity: '0', limit: '1' })).toEqual({
    total: 4,
    compounds: [{ name: 'fluoro', similarity: 1 }],
  })
})

test('SPEC 19.17: compounds that contain a substructure are found, however low their similarity', async () => {
  const { compounds: found } = await find({ kind: 'substructure', smiles: 'CO' })
  expect(found.map(({ name }) => name)).toEqual(['heptanol'])
  expect(await find({ kind: 'substructure', smiles: 'C1CCC1' })).toEqual({
    total: 0,
    compounds: [],
  })
})

test('SPEC 19.17: an unreadable or overlong structure is refused with the reason', async () => {
  const unread = await search({ kind: 'substructure', smiles: 'C1CC' })
  expect(unread.status).toBe(400)
  expect(JSON.stringify(unread.body)).toContain('Ring 1 is opened here but never closed')
  expect((await search({ kind: 'similarity', smiles: 'C'.repeat(2001) })).status).toBe(400)
  expect((await search({ kind: 'similarity', smiles: '' })).status).toBe(400)
  expect((await search({ kind: 'shape', smiles: 'C' })).status).toBe(400)
})

test('an unreadable structure is refused even without compounds, and other users’ compounds are never found', async () => {
  const other = await openTestSession(t.db)
  expect((await search({ kind: 'similarity', smiles: 'C1CC' }, other)).status).toBe(400)
  expect(await search({ kind: 'substructure', smiles: 'CO' }, other)).toEqual({
    status: 200,
    body: { total: 0, compounds: [] },
  })
})
