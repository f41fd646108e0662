import { createHash, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { parsed, unreadable } from '@pkdex/biochem'
import { Preview } from '@pkdex/contract'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestApp } from '#test/open-test-app.ts'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { previewRoutes } from './routes.ts'
import { openPreviews } from './service.ts'

const drawTarget = vi.fn<ParsingWorkers['drawTarget']>()
const drawCompound = vi.fn<ParsingWorkers['drawCompound']>()
const drawCompounds = vi.fn<ParsingWorkers['drawCompounds']>()
const findCore = vi.fn<ParsingWorkers['findCore']>()
const readMolecules = vi.fn<ParsingWorkers['readMolecules']>()

const parsingWorkers = { drawTarget, drawCompound, drawCompounds, findCore, readMolecules }
const t = await openTestApp({
  features: ({ db, clock }) => [
    previewRoutes(openPreviews({ db, parsingWorkers, now: clock.now })),
  ],
})
afterAll(() => t.close())

beforeEach(() => {
  drawTarget.mockReset().mockImplementation(async (_userId, bytes, theme) =>
    parsed({
      body: Buffer.from(`${theme} ${Buffer.from(bytes).toString()}`),
      mediaType: 'image/webp',
      alt: 'Cartoon of a structure.',
    }),
  )
  drawCompound.mockReset().mockImplementation(async (_userId, smiles, theme) =>
    parsed({
      body: Buffer.from(`${theme} ${smiles}`),
      mediaType: 'image/svg+xml',
      alt: 'Formula.',
    }),
  )
})

async function addTarget({ userId }: TestSession, name: string, content: string) {
  const hash = createHash('sha256').update(content).digest()
  const { id } = await t.db
    .insertInto('files')
    .values({
      user_id: userId,
      file_type: 'protein_pdb',
      filename: `${randomUUID()}.pdb`,
      sha256: hash,
      size_bytes: content.length,
      content: gzipSync(content),
      uploaded_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const owned = { user_id: userId, file_id: id, name, content_hash: hash, created_at: new Date() }
  await t.db
    .insertInto('targets')
    .values({ ...owned, chain: 'A', segments: '{"A":["MKV"]}', report: '{}' })
    .execute()
  await t.db
    .insertInto('compounds')
    .values({ ...owned, smiles: content, standard_smiles: content, report: '{}' })
    .execute()
}

function read(
  kind: 'protein' | 'molecule',
  name: string,
  { headers }: Pick<TestSession, 'headers'>,
) {
  const [path, query] = name.split('?theme=')
  const url = `/visualization/${kind}/${encodeURIComponent(path ?? '')}`
  return t.app.inject({ method: 'GET', url: query ? `${url}?theme=${query}` : url, headers })
}

function contentOf(answer: { json(): unknown }): string {
  const { visualizationUrl } = Preview.parse(answer.json())
  return Buffer.from(visualizationUrl?.split('base64,')[1] ?? '', 'base64').toString()
}

test('SPEC 7.5: GET /visualization/protein/{name} returns visualizationUrl, with a text alternative', async () => {
  const user = await openTestSession(t.db)
  await addTarget(user, 'protease', 'a structure')
  const answer = await read('protein', 'protease', user)
  expect(answer.statusCode).toBe(200)
  const { visualizationUrl, alt } = Preview.parse(answer.json())
  expect(visualizationUrl).toMatch(/^data:image\/webp;base64,/)
  expect(contentOf(answer)).toBe('light a structure')
  expect(alt).toBe('protease: Cartoon of a structure.')
})

test('SPEC 7.5: GET /visualization/molecule/{name} returns visualizationUrl, for the page’s theme', async () => {
  const user = await openTestSession(t.db)
  await addTarget(user, 'aspirin', 'CC(=O)Oc1ccccc1C(=O)O')
  const answer = await read('molecule', 'aspirin?theme=dark', user)
  expect(Preview.parse(answer.json()).visualizationUrl).toMatch(/^data:image\/svg\+xml;base64,/)
  expect(contentOf(answer)).toBe('dark CC(=O)Oc1ccccc1C(=O)O')
})

test.each(['a/b', '50% pure', 'tetra#2', 'señor 试剂', 'what?', 'a+b&c', '..a', 'C:\\x', '%2F'])(
  'the name %s works in the path',
  async (name) => {
    const user = await openTestSession(t.db)
    await addTarget(user, name, `content of ${name}`)
    for (const kind of ['protein', 'molecule'] as const) {
      const url = `/visualization/${kind}/${encodeURIComponent(name)}`
      const answer = await t.app.inject({ method: 'GET', url, headers: user.headers })
      expect(contentOf(answer)).toBe(`light content of ${name}`)
    }
  },
)

test('a picture is drawn once for any number of simultaneous requests', async () => {
  const one = await openTestSession(t.db)
  const other = await openTestSession(t.db)
  await addTarget(one, 'mine', 'the same structure')
  await addTarget(other, 'yours', 'the same structure')
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => read('protein', 'mine', one)),
    ...Array.from({ length: 5 }, () => read('protein', 'yours', other)),
  ])
  answers.push(await read('protein', 'mine', one))
  expect(answers.map(contentOf)).toEqual(Array(11).fill('light the same structure'))
  expect(drawTarget).toHaveBeenCalledTimes(1)
  await read('protein', 'mine?theme=dark', one)
  expect(drawTarget).toHaveBeenCalledTimes(2)
})

test('a picture drawn while its last owner is deleted is not stored', async () => {
  const user = await openTestSession(t.db)
  await addTarget(user, 'short-lived', 'short-lived structure')
  const kept = () =>
    t.db
      .selectFrom('previews')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  const before = await kept()
  drawTarget.mockImplementationOnce(async () => {
    await t.db.deleteFrom('users').where('id', '=', user.userId).execute()
    return parsed({ body: Buffer.from('x'), mediaType: 'image/webp', alt: 'Cartoon.' })
  })
  await read('protein', 'short-lived', user)
  expect(drawTarget).toHaveBeenCalledTimes(1)
  expect(await kept()).toEqual(before)
})

test('SPEC 6.2: another user’s picture returns 404, like an unknown one', async () => {
  const owner = await openTestSession(t.db)
  const other = await openTestSession(t.db)
  await addTarget(owner, 'secret', 'secret structure')
  for (const kind of ['protein', 'molecule'] as const) {
    const theirs = await read(kind, 'secret', other)
    const nobodys = await read(kind, 'nothing', other)
    expect([theirs.statusCode, nobodys.statusCode]).toEqual([404, 404])
    expect(theirs.json().code).toBe('not_found')
  }
  expect((await t.app.inject({ url: '/visualization/protein/secret' })).statusCode).toBe(401)
})

test('SPEC 8.7: a picture that cannot be drawn has a reason, and can be requested again', async () => {
  const user = await openTestSession(t.db)
  await addTarget(user, 'huge', 'a huge structure')
  drawTarget.mockResolvedValueOnce(unreadable(0, 'This structure is too large to draw.'))
  const answer = await read('protein', 'huge', user)
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({ message: 'This structure is too large to draw.' })
  expect((await read('protein', 'huge', user)).statusCode).toBe(200)
})

test('an unknown theme returns 400', async () => {
  const user = await openTestSession(t.db)
  await addTarget(user, 'themed', 'themed')
  expect((await read('protein', 'themed?theme=sepia', user)).statusCode).toBe(400)
})
