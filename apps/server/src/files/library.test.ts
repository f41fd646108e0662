/** A user's items: paged, renamed, deleted; their storage is freed. */
import { readFile } from 'node:fs/promises'
import { listCompounds, listFiles, TOTAL_COUNT_HEADER } from '@pkdex/contract'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestApp } from '#test/open-test-app.ts'
import type { Release } from './deletion.ts'
import { openTestParsing, uploadTo } from '#test/open-test-files.ts'
import { filesRoutes, libraryRoutes } from './routes.ts'

const parsingWorkers = openTestParsing()
const release = vi.fn<Release>(async () => 0)
const countAffected = async () => ({
  predictions: 0,
  predictions_under_way: 0,
  measured_values: 0,
  screens: 0,
})
const structure = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const t = await openTestApp({
  features: ({ db, config, clock }) => [
    filesRoutes({ db, parsingWorkers, now: clock.now, ...config }),
    libraryRoutes({ db, release, countAffected }),
  ],
})
afterAll(() => t.close())

test('SPEC 19.1: files are listed in pages, newest first, each with what was read from it', async () => {
  const user = await openTestSession(t.db)
  for (const index of [1, 2, 3]) {
    t.clock.advance(1000)
    await upload(user, `f${index}.txt`, `CCO a${index}\nCCC b${index}`)
  }
  t.clock.advance(1000)
  await upload(user, 'protease.pdb', structure)
  const { files, total } = await list(user, '?page=1&page_size=2')
  expect(total).toBe(4)
  expect(files).toMatchObject([
    { filename: 'protease.pdb', target_count: 1, compound_count: 0, names: ['protease'] },
    { filename: 'f3.txt', target_count: 0, compound_count: 2, names: ['a3', 'b3'] },
  ])
  expect(files.map(({ summary }) => summary)).toEqual(['Chain A of 2, 99 residues', '2 compounds'])
  expect((await list(user, '?page=2&page_size=2')).files).toMatchObject([
    { filename: 'f2.txt' },
    { filename: 'f1.txt' },
  ])
})

test('SPEC 19.2: deleting a file deletes its compounds and frees its storage, and it can be uploaded again', async () => {
  const user = await openTestSession(t.db)
  await upload(user, 'mine.txt', 'CCO ethanol\nCCC propane')
  const [file] = (await list(user)).files
  release.mockClear()
  const deleted = await send(user, 'DELETE', `files/${file?.file_id}`)
  expect(deleted.json()).toMatchObject({ files: 1, compounds: 2, bytes_used: 0 })
  expect(release.mock.calls).toMatchObject([
    [expect.anything(), { userId: user.userId, kind: 'compounds', ids: { length: 2 } }],
  ])
  expect((await list(user)).files).toEqual([])
  expect((await send(user, 'GET', 'compounds/ethanol')).statusCode).toBe(404)
  expect((await send(user, 'GET', 'usage')).json()).toMatchObject({ bytes_used: 0 })
  expect((await upload(user, 'mine.txt', 'CCO ethanol')).json()).toMatchObject({
    names: ['ethanol'],
  })
})

test('SPEC 19.3: deleting the last item read from a file deletes the file', async () => {
  const user = await openTestSession(t.db)
  await upload(user, 'two.txt', 'CCO ethanol\nCCC propane')
  expect((await send(user, 'DELETE', 'compounds/ethanol')).json()).toMatchObject({ files: 0 })
  expect((await list(user)).files).toMatchObject([{ compound_count: 1, names: ['propane'] }])
  expect((await send(user, 'DELETE', 'compounds/propane')).json()).toMatchObject({
    files: 1,
    bytes_used: 0,
  })
})

test('nothing is deleted if dependent data cannot be deleted', async () => {
  const user = await openTestSession(t.db)
  await upload(user, 'kept.txt', 'CCO ethanol')
  release.mockRejectedValueOnce(new Error('the disk is on fire'))
  expect((await send(user, 'DELETE', 'compounds/ethanol')).statusCode).toBe(500)
  expect((await send(user, 'GET', 'compounds/ethanol')).statusCode).toBe(200)
})

test('SPEC 19.4: a renamed item is found by its new name, and the old one is free', async () => {
  const user = await openTestSession(t.db)
  await upload(user, 'mine.txt', 'CCO ethanol\nCCC propane')
  const renamed = await send(user, 'PATCH', 'compounds/ethanol', { name: ' alcohol ' })
  expect(renamed.json()).toEqual({ name: 'alcohol' })
  expect((await send(user, 'GET', 'compounds/alcohol')).statusCode).toBe(200)
  expect((await send(user, 'GET', 'compounds/ethanol')).statusCode).toBe(404)
  expect(
    (await send(user, 'PATCH', 'compounds/propane', { name: 'alcohol' })).json(),
  ).toMatchObject({ code: 'conflict', message: 'You already have a compound named “alcohol”.' })
  expect((await send(user, 'PATCH', 'compounds/alcohol', { name: '..' })).json()).toMatchObject({
    message: '“..” is not a valid name.',
  })
  const [file] = (await list(user)).files
  const other = await send(user, 'PATCH', `files/${file?.file_id}`, { filename: 'solvents.txt' })
  expect(other.json()).toEqual({ filename: 'solvents.txt' })
  const wrong = await send(user, 'PATCH', `files/${file?.file_id}`, { filename: 'solvents.exe' })
  expect(wrong.json()).toMatchObject({ message: 'The name of this file must end in .txt.' })
  expect((await list(user)).files).toMatchObject([{ filename: 'solvents.txt' }])
})

test('SPEC 19.14: starred compounds form a shortlist, which is listed and exported and keeps renamed compounds', async () => {
  const user = await openTestSession(t.db)
  const stranger = await openTestSession(t.db)
  await upload(user, 'mine.txt', 'CCO ethanol\nCCC =propane\nCCN amine')
  await upload(stranger, 'mine.txt', 'CCO ethanol')
  const star = (name: string, starred: boolean) =>
    send(user, 'PUT', `compounds/${encodeURIComponent(name)}/star`, { starred })
  expect((await star('=propane', true)).json()).toEqual({ name: '=propane', starred: true })
  await star('ethanol', true)
  await star('amine', true)
  await star('amine', false)
  expect((await star('unknown', true)).statusCode).toBe(404)
  expect(await starredOf(user)).toEqual(['ethanol', '=propane'])
  expect(await starredOf(stranger)).toEqual([])
  await send(user, 'PATCH', 'compounds/ethanol', { name: 'alcohol' })
  expect(await starredOf(user)).toEqual(['alcohol', '=propane'])
  const { body, headers } = await send(user, 'GET', 'shortlist.csv')
  expect(headers['content-type']).toContain('text/csv')
  expect(body.trimEnd().split('\r\n')).toEqual([
    'name,smiles,formula,mass',
    'alcohol,CCO,C2H6O,46.069',
    "'=propane,CCC,C3H8,44.097",
  ])
})

async function starredOf(user: TestSession): Promise<string[]> {
  const answer = await t.app.inject({ url: listCompounds.path, headers: user.headers })
  return listCompounds.answer.parse(answer.json()).starred
}

async function list(user: TestSession, query = '') {
  const answer = await send(user, 'GET', `files${query}`)
  const { files } = listFiles.answer.parse(answer.json())
  return { files, total: Number(answer.headers[TOTAL_COUNT_HEADER.toLowerCase()]) }
}

function send(
  { headers }: TestSession,
  method: 'GET' | 'DELETE' | 'PATCH' | 'PUT',
  path: string,
  payload?: object,
) {
  const body = payload === undefined ? {} : { payload }
  return t.app.inject({ method, url: `/file_manager/${path}`, headers, ...body })
}

function upload({ headers }: TestSession, filename: string, content: string) {
  const type = filename.endsWith('.pdb') ? 'protein_pdb' : 'drug_smiles'
  return uploadTo(t.app, headers, { type, filename, content })
}
