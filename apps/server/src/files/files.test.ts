import { readFile } from 'node:fs/promises'
import { ErrorBody, listCompounds, listTargets, UploadAnswer } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestFiles, openTestParsing, type SentFile, uploadTo } from '#test/open-test-files.ts'
import { keptMax } from './keep-named.ts'
import { readFileContent } from './service.ts'

const parsingWorkers = openTestParsing()
const bytesMax = 400_000
const t = await openTestFiles({
  environment: { UPLOAD_BYTES_MAX: String(bytesMax) },
  parsingWorkers,
})
const protease = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
afterAll(() => t.close())

const send = (session: TestSession | null, sent: SentFile) =>
  uploadTo(t.app, session?.headers, sent)

async function upload(session: TestSession, sent: SentFile): Promise<UploadAnswer> {
  const answer = await send(session, sent)
  expect(answer.json()).not.toHaveProperty('code')
  return UploadAnswer.parse(answer.json())
}

const target = (filename: string, content = protease) =>
  ({ type: 'protein_pdb', filename, content }) as const
const compounds = (content: string, filename = 'drugs.txt') =>
  ({ type: 'drug_smiles', filename, content }) as const

async function targetNames({ headers }: TestSession) {
  const answer = await t.app.inject({ method: 'GET', url: '/dta/get_protein_names', headers })
  return listTargets.answer.parse(answer.json()).protein_names
}

async function compoundNames({ headers }: TestSession) {
  const answer = await t.app.inject({ method: 'GET', url: '/dta/get_compound_names', headers })
  return listCompounds.answer.parse(answer.json()).compound_names
}

test('SPEC 7.4, 7.6: an uploaded target is listed under its file name without extension, with its report', async () => {
  const user = await openTestSession(t.db)
  const answer = await upload(user, target('1HPV.pdb'))
  expect(answer).toMatchObject({ names: ['1HPV'], renamed: [], unchanged: [], rejected: [] })
  expect(answer.targets[0]).toMatchObject({ name: '1HPV', chain: 'A', residues: 99 })
  expect(answer.message).toBe('1HPV: chain A, 99 residues.')
  expect(await targetNames(user)).toEqual(['1HPV'])
})

test('compounds with the structure of an earlier one are named in the answer', async () => {
  const user = await openTestSession(t.db)
  const first = await upload(user, compounds('CCO ethanol\nOCC alcohol\nCCC propane'))
  expect(first).toMatchObject({
    duplicate_count: 1,
    duplicates: [{ name: 'alcohol', same_as: 'ethanol' }],
  })
  expect(first.message).toBe('3 compounds read. 1 compound is listed twice.')
  const second = await upload(user, compounds('C(C)O spirit\nCCCC butane', 'more.txt'))
  expect(second.duplicates).toEqual([{ name: 'spirit', same_as: 'ethanol' }])
})

test('the file is stored byte for byte', async () => {
  const user = await openTestSession(t.db)
  await upload(user, target('1hpv.pdb'))
  const { id } = await t.db
    .selectFrom('files')
    .select('id')
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow()
  expect((await readFileContent(t.db, id)).toString()).toBe(protease)
})

test('SPEC 14.3: uploading the same name and bytes again succeeds and stores nothing twice', async () => {
  const user = await openTestSession(t.db)
  await upload(user, target('1hpv.pdb'))
  const again = await upload(user, target('1hpv.PDB'))
  expect(again).toMatchObject({ names: ['1hpv'], unchanged: ['1hpv'], renamed: [] })
  expect(await targetNames(user)).toEqual(['1hpv'])
  const files = await t.db.selectFrom('files').where('user_id', '=', user.userId).execute()
  expect(files).toHaveLength(1)
})

test('SPEC 14.4: other bytes with the same name become name (2), and the response says so', async () => {
  const user = await openTestSession(t.db)
  await upload(user, target('1hpv.pdb'))
  const other = await upload(user, target('1hpv.pdb', `${protease}REMARK\n`))
  expect(other.renamed).toEqual([{ from: '1hpv', to: '1hpv (2)' }])
  expect(other.message).toContain('saved as 1hpv (2)')
  const again = await upload(user, target('1hpv.pdb', `${protease}REMARK\n`))
  expect(again.unchanged).toEqual(['1hpv (2)'])
  expect(await targetNames(user)).toEqual(['1hpv', '1hpv (2)'])
})

test('SPEC 14.4: twenty simultaneous uploads with one name get one name per content', async () => {
  const user = await openTestSession(t.db)
  const contents = Array.from({ length: 20 }, (_, index) => `CCO${'C'.repeat(index % 4)} thing\n`)
  const answers = await Promise.all(
    contents.map((content) => upload(user, compounds(content, 'thing.txt'))),
  )
  expect((await compoundNames(user)).toSorted()).toEqual([
    'thing',
    'thing (2)',
    'thing (3)',
    'thing (4)',
  ])
  expect(answers.filter(({ unchanged }) => unchanged.length > 0)).toHaveLength(16)
})

test('SPEC 14.5: a compound file contains one molecule per line; an invalid line is listed and does not affect others', async () => {
  const user = await openTestSession(t.db)
  const text = 'smiles name\n# mine\n\nCC(=O)Oc1ccccc1C(=O)O aspirin\nC1CC broken\nCCO\nCCN\n'
  const answer = await upload(user, compounds(text))
  expect(answer.names).toEqual(['aspirin', 'drugs', 'drugs#2'])
  expect(answer.rejected).toMatchObject([{ line: 5, text: 'C1CC broken' }])
  expect(answer.compounds[0]).toMatchObject({
    name: 'aspirin',
    smiles: 'CC(=O)Oc1ccccc1C(=O)O',
    report: { formula: 'C9H8O4' },
  })
  expect(answer.message).toBe('3 compounds read. 1 line was skipped.')
  expect(await compoundNames(user)).toEqual(answer.names)
})

test('SPEC 14.3: uploading a file of compounds twice changes nothing, its numbered names included', async () => {
  const user = await openTestSession(t.db)
  const text = 'CCO x\nCCN x\nCCC y\n'
  const first = await upload(user, compounds(text))
  expect(first.renamed).toEqual([{ from: 'x', to: 'x (2)' }])
  const second = await upload(user, compounds(text))
  expect([second.names, second.unchanged]).toEqual([first.names, first.names])
  expect(await compoundNames(user)).toEqual(['x', 'x (2)', 'y'])
})

test.each([
  ['SPEC 9.4', 'protein_pdb', 'a.txt', [415, 'Only .pdb files are accepted'] as const],
  ['SPEC 9.4', 'drug_smiles', 'a.pdb', [415, 'Only .txt files are accepted'] as const],
  ['SPEC 3.2', 'protein', 'a.pdb', [400, /file_type must be protein_pdb or drug_smiles/] as const],
  ['SPEC 14.1', 'protein_pdb', '.pdb', [400, /name is empty/] as const],
  ['SPEC 14.1', 'protein_pdb', '...pdb', [400, /is not a valid name/] as const],
  ['SPEC 14.2', 'drug_smiles', `${'x'.repeat(201)}.txt`, [400, /longer than 200/] as const],
])('%s: a file_type %s with the name %s returns %j', async (_section, type, filename, expected) => {
  const user = await openTestSession(t.db)
  const answer = await send(user, { type, filename, content: 'CCO x\n' })
  expect([answer.statusCode, ErrorBody.parse(answer.json()).message]).toEqual([
    expected[0],
    expect.stringMatching(expected[1]),
  ])
})

test.each([
  ['nothing', ''],
  ['a zip archive', Buffer.from('504b0304140000000800', 'hex')],
  ['bytes of a program', Buffer.from('7f454c4602010100000000', 'hex')],
  ['no structure', 'The quick brown fox\n'],
])('SPEC 14.7: a target file that contains %s returns 422 with a message', async (_, content) => {
  const user = await openTestSession(t.db)
  const answer = await send(user, { ...target('x.pdb'), content })
  expect([answer.statusCode, answer.json().code]).toEqual([422, 'file_unreadable'])
  expect(answer.json().message).toMatch(/\.$/)
  expect(await targetNames(user)).toEqual([])
})

test('SPEC 14.6: a compound file without a valid line is refused with the reason', async () => {
  const user = await openTestSession(t.db)
  const answer = await send(user, compounds('C1CC x\n'))
  expect([answer.statusCode, answer.json().message]).toEqual([
    422,
    expect.stringMatching(/^Line 1: /),
  ])
})

test('a truncated upload, or one without file or file_type, returns 400', async () => {
  const user = await openTestSession(t.db)
  const headers = { ...user.headers, 'content-type': 'multipart/form-data; boundary=b' }
  const field = '--b\r\ncontent-disposition: form-data; name="file_type"\r\n\r\ndrug_smiles\r\n'
  const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nCCO'
  for (const payload of [`${field}--b--`, `${file}\r\n--b--`, file, 'nonsense', '']) {
    const url = '/file_manager/upload'
    const answer = await t.app.inject({ method: 'POST', url, headers, payload })
    expect([payload, answer.statusCode]).toEqual([payload, 400])
  }
})

test('an upload that is not a multipart form returns 415', async () => {
  const { headers } = await openTestSession(t.db)
  const url = '/file_manager/upload'
  const answer = await t.app.inject({ method: 'POST', url, headers, payload: { a: 1 } })
  expect([answer.statusCode, answer.json().code]).toEqual([415, 'wrong_file_type'])
})

test('SPEC 14.9: a file above the limit returns 413 and names the limit', async () => {
  const user = await openTestSession(t.db)
  const answer = await send(user, compounds('C'.repeat(bytesMax + 1)))
  expect([answer.statusCode, answer.json().message]).toEqual([
    413,
    'The file is larger than the limit of 390.63 KB.',
  ])
  expect((await send(user, compounds('C'.repeat(bytesMax)))).statusCode).toBe(422)
})

test('SPEC 5.4: an upload without a key returns Authentication required', async () => {
  const answer = await send(null, target('1hpv.pdb'))
  expect([answer.statusCode, answer.json().message]).toEqual([401, 'Authentication required'])
})

test('SPEC 6.2: another user sees none of the files, and may use the same names', async () => {
  const alice = await openTestSession(t.db)
  const bob = await openTestSession(t.db)
  await upload(alice, target('secret.pdb'))
  expect(await targetNames(bob)).toEqual([])
  const answer = await t.app.inject({
    method: 'PUT',
    url: '/file_manager/targets/secret/chain',
    headers: bob.headers,
    payload: { chain: 'B' },
  })
  expect(answer.statusCode).toBe(404)
  expect((await upload(bob, target('secret.pdb'))).renamed).toEqual([])
})

test('SPEC 14.8: the user selects another protein chain; an unknown one is refused', async () => {
  const user = await openTestSession(t.db)
  await upload(user, target('ö 100%.pdb'))
  const choose = (chain: string) =>
    t.app.inject({
      method: 'PUT',
      url: `/file_manager/targets/${encodeURIComponent('ö 100%')}/chain`,
      headers: user.headers,
      payload: { chain },
    })
  const chosen = { chain: 'B', residues: 99, report: { default_chain: 'A' } }
  expect((await choose('B')).json()).toMatchObject(chosen)
  const refused = await choose('Z')
  expect([refused.statusCode, refused.json().message]).toEqual([
    404,
    'ö 100% has no protein chain Z.',
  ])
})

test('SPEC 19.7: above the limit of targets nothing of the file is added, and the message says so', async () => {
  const user = await openTestSession(t.db)
  await upload(user, target('first.pdb'))
  await sql`insert into targets (user_id, file_id, name, chain, segments, report, content_hash, created_at)
    select user_id, file_id, 'copy ' || i, chain, segments, report, content_hash, created_at
    from targets, generate_series(2, ${keptMax.targets}::int) i where user_id = ${user.userId}`.execute(
    t.db,
  )
  const answer = await send(user, target('another.pdb', `${protease}REMARK 1\n`))
  expect([answer.statusCode, answer.json().message]).toEqual([
    409,
    'You have 2,000 targets; the maximum is 2,000. Nothing from this file was added.',
  ])
  expect(await targetNames(user)).not.toContain('another')
  const again = await upload(user, target('first.pdb'))
  expect(again.unchanged).toEqual(['first'])
})

test('one compound is returned with its logP and polar surface area', async () => {
  const session = await openTestSession(t.db)
  await upload(session, compounds('CC(=O)Oc1ccccc1C(=O)O aspirin'))
  const answer = await t.app.inject({
    method: 'GET',
    url: '/file_manager/compounds/aspirin',
    headers: session.headers,
  })
  expect(answer.json()).toMatchObject({ log_p: 1.3101, tpsa: expect.closeTo(63.6, 2) })
})
