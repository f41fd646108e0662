/** The user's own columns: stored with their compounds, counted, and returned next to the predictions. */
import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const t = await openTestProduct({ STORED_BYTES_PER_USER: '300000' })
const structure = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
afterAll(() => t.close())

const table = (...rows: string[][]) => rows.map((row) => row.join('\t')).join('\n')
const series = table(
  ['SMILES', 'Name', 'IC50 (nM)', 'target', 'Batch'],
  ['CCO', 'ethanol', '12', 'HIV-1', ''],
  ['C1CC', 'broken', '1', '', ''],
  ['CCN', 'amine', '', '=2+3', 'B <7>'],
)

const get = (user: TestSession, url: string) => t.app.inject({ url, headers: user.headers })
const bytesUsed = async (user: TestSession) =>
  (await get(user, '/file_manager/usage')).json<{ bytes_used: number }>().bytes_used

async function screenOf(user: TestSession, compounds: string[]): Promise<string> {
  await t.upload(user.headers, 'protein_pdb', 'protease.pdb', structure.slice(0, 120_000))
  const payload = { targets: ['protease'], compounds }
  const started = { method: 'POST', url: '/screens', headers: user.headers, payload } as const
  return (await t.app.inject(started)).json<{ id: string }>().id
}

async function rowsOf(user: TestSession, id: string): Promise<string[][]> {
  const { body } = await get(user, `/screens/${id}/results.csv`)
  const lines = body
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  const ours = (lines[0]?.indexOf('Screen') ?? -1) + 1
  return lines.map((cells) => [cells[1] ?? '', ...cells.slice(ours)])
}

test('SPEC 19.10: own columns are returned in input order after ours, and duplicates of our names are marked', async () => {
  const user = await openTestSession(t.db)
  expect((await t.upload(user.headers, 'drug_smiles', 'series.txt', series)).statusCode).toBe(200)
  const id = await screenOf(user, ['amine', 'absent', 'ethanol'])
  expect(await rowsOf(user, id)).toEqual([
    ['compound', 'IC50 (nM)', 'target (input)', 'Batch'],
    ['amine', '', "'=2+3", 'B <7>'],
    ['absent', '', '', ''],
    ['ethanol', '12', 'HIV-1', ''],
  ])
  const sdf = (await get(user, `/screens/${id}/results.sdf`)).body
  expect(sdf).toContain('>  <IC50 (nM)>\n12\n')
  expect(sdf).toContain('>  <target (input)>\nHIV-1\n')
})

test('a column named like one of ours is marked as the user’s', async () => {
  const user = await openTestSession(t.db)
  const mine = table(['SMILES', 'Name', 'pKd', 'Screen'], ['CCO', 'ethanol', '9.9', 'S7'])
  await t.upload(user.headers, 'drug_smiles', 'mine.txt', mine)
  expect(await rowsOf(user, await screenOf(user, ['ethanol']))).toEqual([
    ['compound', 'pKd (input)', 'Screen (input)'],
    ['ethanol', '9.9', 'S7'],
  ])
})

test('a screen of compounds without own columns has only ours', async () => {
  const user = await openTestSession(t.db)
  await t.upload(user.headers, 'drug_smiles', 'plain.txt', 'CCO\tethanol')
  expect(await rowsOf(user, await screenOf(user, ['ethanol']))).toEqual([['compound'], ['ethanol']])
})

test('a later table replaces a compound’s columns, and another molecule inherits nothing', async () => {
  const user = await openTestSession(t.db)
  await t.upload(user.headers, 'drug_smiles', 'first.txt', series)
  const id = await screenOf(user, ['ethanol'])
  const again = table(['SMILES', 'Name', 'IC50 (nM)', 'Note'], ['CCO', 'ethanol', '15', 'repeated'])
  const answer = await t.upload(user.headers, 'drug_smiles', 'second.txt', again)
  expect(answer.json()).toMatchObject({ unchanged: ['ethanol'] })
  expect((await rowsOf(user, id)).map((row) => row.slice(1))).toEqual([
    ['IC50 (nM)', 'Note'],
    ['15', 'repeated'],
  ])
  const plain = await t.upload(user.headers, 'drug_smiles', 'third.txt', 'CCO ethanol')
  expect(plain.statusCode).toBe(200)
  expect((await rowsOf(user, id))[1]).toEqual(['ethanol', '15', 'repeated'])
  await t.app.inject({
    method: 'DELETE',
    url: '/file_manager/compounds/ethanol',
    headers: user.headers,
  })
  const other = table(['SMILES', 'Name', 'Note'], ['CCCO', 'ethanol', 'another'])
  await t.upload(user.headers, 'drug_smiles', 'fourth.txt', other)
  expect((await rowsOf(user, id))[1]).toEqual(['ethanol', ''])
})

test('own columns count towards the quota, and are refused above it', async () => {
  const user = await openTestSession(t.db)
  const cell = 'word '.repeat(40).trim()
  const rows = Array.from({ length: 60 }, (_, at) => [
    'C'.repeat(at + 1),
    `m${at}`,
    ...Array.from({ length: 10 }, () => cell),
  ])
  const heading = ['SMILES', 'Name', ...Array.from({ length: 10 }, (_, at) => `c${at}`)]
  const text = table(heading, ...rows)
  expect(text.length).toBeLessThan(150_000)
  const [first, second] = [text, text.replaceAll('word', 'WORD')]
  expect((await t.upload(user.headers, 'drug_smiles', 'one.txt', first)).statusCode).toBe(200)
  expect(await bytesUsed(user)).toBeGreaterThan(first.length)
  // The compounds exist already, but their new columns still take storage.
  await t.upload(user.headers, 'drug_smiles', 'fill.txt', `C methane\n${'#'.repeat(80_000)}`)
  const refused = await t.upload(user.headers, 'drug_smiles', 'two.txt', second)
  expect(refused.json()).toMatchObject({ code: 'file_too_large' })
})

test('another user’s table does not affect mine', async () => {
  const [user, other] = [await openTestSession(t.db), await openTestSession(t.db)]
  await t.upload(user.headers, 'drug_smiles', 'mine.txt', 'CCO ethanol')
  await t.upload(other.headers, 'drug_smiles', 'theirs.txt', series)
  expect(await rowsOf(user, await screenOf(user, ['ethanol']))).toEqual([['compound'], ['ethanol']])
})
