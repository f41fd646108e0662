/**
 * Every endpoint of the API documentation with every kind of caller. An endpoint missing from the table fails the test,
 * so that none can be added without deciding who may call it.
 */
import { readFile } from 'node:fs/promises'
import type { LightMyRequestResponse } from 'fastify'
import { SHARED_SCREEN_HEADER } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { readEverything } from '#server/platform/db/backup/fixtures/rows.ts'
import { openCallers } from '#test/open-test-callers.ts'
import { openLinkViewers, openViewers } from '#test/open-test-viewers.ts'
import { openTestProduct } from '#test/open-test-product.ts'

/** Response for another user who names the owner's item; `own`: the endpoint only covers the caller's own data. */
type Row =
  | { stranger: 404 | 'own'; body?: object; query?: string; status?: number }
  | 'administrator'
  | 'open'

const pair = { protein_id: 'mine', compound_id: 'aspirin' }
const screen = { targets: ['mine'], compounds: ['aspirin'] }
const flow = { state: 's', nonce: 'n', verifier: 'v' }
const unknownReturn = { provider: 'Nobody', flow, parameters: '' }
const theirs = (body?: object): Row => ({ stranger: 404, ...(body && { body }) })
const theirsAt = (query: string): Row => ({ stranger: 404, query })
/** Returns 200, or this status for a user without data. */
const own = (body?: object, status = 200): Row => ({
  stranger: 'own',
  status,
  ...(body && { body }),
})

const table: Record<string, Row> = {
  'POST /dta/login': own(),
  'GET /dta/get_protein_names': own(),
  'GET /dta/get_compound_names': own(),
  'GET /dta/credits': own(),
  'GET /dta/credits/ledger': own(),
  'GET /dta/known': theirsAt('protein_id=mine'),
  'POST /dta/predict': theirs(pair),
  'GET /dta/predict/{taskId}': theirs(),
  'GET /history': own(),
  'GET /history.csv': own(),
  'POST /file_manager/upload': own(undefined, 415),
  'GET /file_manager/usage': own(),
  'GET /file_manager/targets/{name}': theirs(),
  'PUT /file_manager/targets/{name}/chain': theirs({ chain: 'B' }),
  'GET /file_manager/compounds/{name}': theirs(),
  'PUT /file_manager/compounds/{name}/star': theirs({ starred: true }),
  'GET /file_manager/compound_search': { stranger: 'own', query: 'kind=similarity&smiles=CCO' },
  'GET /file_manager/shortlist.csv': own(),
  'GET /alerts': own(),
  'PUT /alerts': own({ patterns: [] }),
  'POST /alerts/locate': own({ smiles: 'CCO' }),
  'GET /visualization/protein/{name}': theirs(),
  'GET /visualization/molecule/{name}': theirs(),
  'POST /visualization/molecules': own({ names: ['aspirin'] }),
  'GET /file_manager/files': own(),
  'GET /file_manager/deletion': theirsAt('target=mine'),
  'PATCH /file_manager/files/{fileId}': theirs({ filename: 'other.pdb' }),
  'DELETE /file_manager/files/{fileId}': theirs(),
  'PATCH /file_manager/targets/{name}': theirs({ name: 'other' }),
  'DELETE /file_manager/targets/{name}': theirs(),
  'GET /file_manager/targets/{name}/structure': theirs(),
  'PATCH /file_manager/compounds/{name}': theirs({ name: 'other' }),
  'DELETE /file_manager/compounds/{name}': theirs(),
  'GET /evidence/details': theirsAt('target=mine&compound=aspirin'),
  'GET /evidence/atoms': theirsAt('target=mine&compound=aspirin'),
  'GET /evidence/similar': theirsAt('target=mine&compound=aspirin'),
  'GET /evidence/model': 'open',
  'GET /evidence/target': theirsAt('target=mine'),
  'GET /evidence/receipt': theirsAt('target=mine&compound=aspirin'),
  'GET /poses': theirsAt('target=mine&compound=aspirin'),
  'GET /poses/file': theirsAt('target=mine&compound=aspirin&format=sdf'),
  'GET /poses/references': theirsAt('target=mine'),
  'PUT /poses/own-ligand': theirs({ target: 'mine', smiles: 'c1ccccc1CCO' }),
  'DELETE /poses/own-ligand': theirsAt('target=mine'),
  'GET /measurements': own(),
  'POST /measurements': theirs({ target: 'mine', text: 'aspirin;5 nM' }),
  'DELETE /measurements': theirsAt('target=mine'),
  'GET /measurements/comparison': theirsAt('target=mine'),
  'GET /measurements/combined': { stranger: 'own', query: 'target=mine' },
  'PUT /measurements/use': theirs({ target: 'mine', use: false }),
  'PUT /measurements/{id}': theirs({ value: 5, unit: 'nM', type: 'Kd' }),
  'DELETE /measurements/{id}': theirs(),
  'POST /series/table': own({ compounds: ['c1ccccc1F'] }),
  'POST /series/pairs': theirs({ compounds: [{ smiles: 'CCO' }], target: 'mine' }),
  'POST /series/products': own({ compounds: ['c1ccccc1F'] }),
  'POST /series/clusters': own({ compounds: [{ smiles: 'CCO' }] }),
  'GET /series/progress': own(),
  'POST /series/next': theirs({
    screens: ['3f2f5b5e-6a51-4d5e-9d3f-0c8f3c1f9a10'],
    target: 'mine',
  }),
  'PUT /series/score': theirs({ target: 'mine', choice: null }),
  'POST /series/score': theirs({
    screens: ['3f2f5b5e-6a51-4d5e-9d3f-0c8f3c1f9a10'],
    target: 'mine',
  }),
  'GET /series/lists': theirsAt('target=mine'),
  'PATCH /series/lists': theirs({ target: 'mine', make_name: 'first round' }),
  'PUT /series/lists': theirs({ target: 'mine', list: 'make', smiles: ['CCO'], listed: true }),
  'GET /series/drawing': { stranger: 'own', query: 'smiles=CCO' },
  'GET /account/export': own(),
  'DELETE /account': own({ confirm: 'somebody@else.example' }, 400),
  'GET /account/keys': own(),
  'POST /account/keys': own({ name: 'notebook' }),
  'DELETE /account/keys/{keyId}': theirs(),
  'GET /account/sign-ins': own(),
  'POST /account/sign-ins/begin': own({ provider: 'Nobody' }, 400),
  'POST /account/sign-ins': own(unknownReturn, 400),
  'DELETE /account/sign-ins/{id}': theirs(),
  'POST /predict/quote': theirs({ smiles: 'not-a-molecule', target: 'mine' }),
  'POST /predict': theirs({ smiles: 'not-a-molecule', target: 'mine' }),
  'GET /screens': own(),
  'POST /screens': own(screen, 400),
  'POST /screens/quote': own(screen),
  'GET /screens/{id}': theirs(),
  'PATCH /screens/{id}': theirs({ name: 'mine' }),
  'DELETE /screens/{id}': theirs(),
  'GET /screens/{id}/results': theirs(),
  'GET /screens/{id}/results.csv': theirs(),
  'GET /screens/{id}/results.sdf': theirs(),
  'GET /screens/{id}/results.xlsx': theirs(),
  'GET /screens/{id}/poses.sdf': theirsAt('target=mine'),
  'GET /screens/{id}/matrix': theirs(),
  'GET /screens/{id}/events': theirs(),
  'GET /screens/{id}/shares': theirs(),
  'POST /screens/{id}/shares': theirs({ email: null }),
  'DELETE /screens/{id}/shares/{shareId}': theirs(),
  'GET /screens/{id}/comments': theirs(),
  'POST /screens/{id}/comments': theirs({ text: 'x', row: 1 }),
  'PATCH /screens/{id}/comments/{commentId}': theirs({ text: 'x' }),
  'DELETE /screens/{id}/comments/{commentId}': theirs(),
  'PUT /screens/{id}/seen': theirs({ comment: null }),
  'DELETE /news': own(),
  'GET /shared': own(),
  'POST /screens/{id}/copy': theirs({}),
  'POST /admin/auth/logout': 'administrator',
  'GET /admin/auth/api-key': 'administrator',
  'PUT /admin/auth/password': 'administrator',
  'GET /admin/administrators': 'administrator',
  'POST /admin/administrators': 'administrator',
  'DELETE /admin/administrators/{email}': 'administrator',
  'GET /admin/audit': 'administrator',
  'GET /admin/users': 'administrator',
  'POST /admin/users': 'administrator',
  'GET /admin/usage': 'administrator',
  'GET /admin/users/usage': 'administrator',
  'POST /admin/users/credits': 'administrator',
  'POST /admin/users/status': 'administrator',
  'POST /admin/users/import': 'administrator',
  'GET /admin/users/{userId}': 'administrator',
  'PUT /admin/users/{userId}': 'administrator',
  'DELETE /admin/users/{userId}': 'administrator',
  'PUT /admin/users/{userId}/credits': 'administrator',
  'GET /admin/users/{userId}/deletion': 'administrator',
  'GET /admin/users/{userId}/files': 'administrator',
  'GET /admin/users/{userId}/ledger': 'administrator',
  'GET /admin/users/{userId}/api-keys': 'administrator',
  'POST /admin/users/{userId}/api-key': 'administrator',
  'POST /admin/users/{userId}/invitation': 'administrator',
  'DELETE /admin/users/{userId}/api-keys/{keyId}': 'administrator',
  'GET /admin/users/{userId}/shares': 'administrator',
  'DELETE /admin/users/{userId}/shares/{shareId}': 'administrator',
  'GET /admin/database/stats': 'administrator',
  'GET /admin/database/collections': 'administrator',
  'GET /admin/database/predictions': 'administrator',
  'GET /admin/database/export-all': 'administrator',
  'GET /admin/database/export/{collection}': 'administrator',
  'POST /admin/auth/token': 'open',
  'POST /connection/verify-google': 'open',
  'POST /connection/oidc': 'open',
  'POST /connection/oidc/finish': 'open',
  'POST /connection/oidc/sign-out': 'open',
  'GET /connection/config': 'open',
  'POST /dev/identity/token': 'open',
  'POST /dta/logout': 'open',
  'POST /file_manager/logout': 'open',
}

type Headers = Record<string, string>
const sampleStructure = new URL('../../../../samples/1hpv.pdb', import.meta.url)

const t = await openTestProduct({
  DEV_IDENTITY: 'on',
  PUBLIC_URL: 'https://pkdex.example',
  OIDC_PROVIDERS: '[{"name":"Lab","issuer":"https://id.example","client_id":"pkdex"}]',
})
const owner = await openTestSession(t.db, { now: t.clock.now() })
const stranger = await openTestSession(t.db, { now: t.clock.now() })
/** Items in the paths, which belong to the owner. */
const things = await addThings(owner)
const callers = await openCallers(t)
afterAll(() => t.close())

test('the table has a row for every endpoint of the documentation, and no other', async () => {
  expect(Object.keys(table).toSorted()).toEqual((await documented()).toSorted())
})

test('SPEC 6.4: no endpoint admits an unauthorised caller, and attempts change nothing', async () => {
  const before = await readEverything(t)
  const wrong: string[] = []
  for (const [call, row] of Object.entries(table)) {
    if (row === 'open') continue
    for (const [who, caller] of Object.entries(callers)) {
      const expected = row === 'administrator' ? caller.administrator : caller.user
      if (expected === 'let in') continue
      const answer = await send(call, row, caller.headers)
      if (answer.statusCode !== expected || !isPlainRefusal(answer)) {
        wrong.push(`${call} as ${who}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(await readEverything(t)).toEqual(before)
})

test('SPEC 6.2: another user gets 404 for the owner’s items, or only their own', async () => {
  const before = await readOthersThings()
  const wrong: string[] = []
  for (const [call, row] of Object.entries(table)) {
    if (typeof row === 'string') continue
    const { statusCode: status, body } = await send(call, row, stranger.headers)
    const isRight = status === (row.stranger === 404 ? 404 : (row.status ?? 200))
    if (!isRight || body.includes('C9H8O4')) wrong.push(`${call}: ${status} ${body.slice(0, 200)}`)
  }
  expect(wrong).toEqual([])
  expect(await readOthersThings()).toEqual(before)
})

test('public endpoints work whatever credentials are sent', async () => {
  const wrong: string[] = []
  for (const [call, row] of Object.entries(table)) {
    if (row !== 'open') continue
    for (const [who, { headers }] of Object.entries(callers)) {
      const { statusCode: status } = await send(call, row, headers)
      if (status >= 500) wrong.push(`${call} as ${who}: ${status}`)
    }
  }
  expect(wrong).toEqual([])
})

const described = (await t.app.inject({ url: '/openapi.json' })).json()
const viewers = await openViewers(t, { owner, stranger, screenId: things['id'] ?? '' })
const linked = await openLinkViewers(t, { owner, stranger, screenId: things['linkedId'] ?? '' })

/** What a viewer may call: endpoints that read a screen, or that name things in the screen of the header. */
function isReadByViewers(call: string): boolean {
  const [method = '', path = ''] = call.split(' ')
  const { parameters = [] } = described.paths[path][method.toLowerCase()]
  const isNamed = parameters.some(
    (parameter: { name: string }) => parameter.name === SHARED_SCREEN_HEADER,
  )
  return isNamed || (/^GET .screens.\{id\}/.test(call) && !path.includes('shares'))
}

test.each([
  ['by email', viewers, things],
  ['by link', linked, { ...things, id: things['linkedId'] ?? '' }],
])(
  'SPEC 35.3: viewers %s read what the owner reads and change nothing; former and deactivated viewers read nothing',
  async (_, people, named) => {
    const header = { [SHARED_SCREEN_HEADER.toLowerCase()]: named['id'] ?? '' }
    const before = await readAllButPictures()
    const wrong: string[] = []
    for (const [call, row] of Object.entries(table)) {
      if (typeof row === 'string') continue
      const isRead = isReadByViewers(call)
      // A stream would stay open, copying adds to the viewer's own library, and viewers may comment.
      const isOther = /\/(events|copy|seen)$/.test(call) || writesComment(call)
      const owners =
        isRead && !isOther ? (await send(call, row, owner.headers, named)).statusCode : 403
      const isPlaced = isRead || isScreen(call)
      for (const [who, { headers, expected }] of Object.entries(people)) {
        if (isOther && expected === 'let in') continue
        const sent = { ...headers, ...(!isScreen(call) && header) }
        const { statusCode, body } = await send(call, row, sent, named)
        const status = statusForViewer(expected, { isPlaced, owners })
        if (statusCode === status) continue
        wrong.push(`${call} as ${who}: ${statusCode} for ${status} ${body.slice(0, 200)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await readAllButPictures()).toEqual(before)
  },
  // Hundreds of calls, which take 30 s on a busy machine.
  60_000,
)

function writesComment(call: string): boolean {
  return /^(POST|PATCH|DELETE) .*\/comments/.test(call)
}

/** `isPlaced`: it names the screen, or may be asked with its header. */
function statusForViewer(
  expected: number | 'let in',
  { isPlaced, owners }: { isPlaced: boolean; owners: number },
): number {
  if (expected === 'let in') return owners
  return expected === 404 && !isPlaced ? 403 : expected
}

/** Drawings are stored once for everyone, and who opened a link is noted. */
async function readAllButPictures() {
  const all = await readEverything(t)
  const { 'public.previews': _, 'public.link_viewers': _viewers, ...everything } = all
  return everything
}

test('a viewer reads nothing of the owner that is not in the screen', async () => {
  const header = { [SHARED_SCREEN_HEADER.toLowerCase()]: things['id'] ?? '' }
  const answers = await Promise.all(
    [
      '/file_manager/targets/other',
      '/file_manager/targets/other/structure',
      '/file_manager/compounds/ethanol',
      '/visualization/molecule/ethanol',
      '/poses?target=mine&compound=ethanol',
      '/measurements/combined?target=other',
      '/series/lists?target=other',
    ].map((url) => t.app.inject({ url, headers: { ...viewers['by email']?.headers, ...header } })),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
})

function isScreen(call: string): boolean {
  return call.includes(' /screens/{id}')
}

async function documented(): Promise<string[]> {
  const { paths } = (await t.app.inject({ url: '/openapi.json' })).json<{
    paths: Record<string, object>
  }>()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

function send(
  call: string,
  row: Row,
  headers: Headers,
  named = things,
): Promise<LightMyRequestResponse> {
  const [method, path = ''] = call.split(' ')
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(nameIn(path, name, named)),
  )
  const { body, query = '' } = typeof row === 'object' ? row : {}
  return t.app.inject({
    method: method as 'GET',
    url: query === '' ? url : `${url}?${query}`,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  })
}

function nameIn(path: string, parameter: string, named: typeof things): string {
  if (path.startsWith('/measurements')) return named['measurementId'] ?? 'x'
  if (parameter !== 'name') return named[parameter] ?? 'x'
  return /molecule|compound/.test(path) ? 'aspirin' : 'mine'
}

/** The standard error body, without any of the requested data. */
function isPlainRefusal(answer: LightMyRequestResponse): boolean {
  const body: object = answer.json()
  return Object.keys(body).toSorted().join() === 'code,detail,message'
}

async function addThings({ headers, userId }: TestSession): Promise<Record<string, string>> {
  await t.upload(headers, 'protein_pdb', 'mine.pdb', await readFile(sampleStructure, 'utf8'))
  await t.upload(headers, 'drug_smiles', 'mine.txt', 'CC(=O)Oc1ccccc1C(=O)O aspirin')
  await t.upload(headers, 'protein_pdb', 'other.pdb', await readFile(sampleStructure, 'utf8'))
  await t.upload(headers, 'drug_smiles', 'other.txt', 'CCO ethanol')
  const prefer = { ...headers, prefer: 'respond-async' }
  const post = (url: string, payload: object) =>
    t.app.inject({ method: 'POST', url, headers: prefer, payload })
  const taskId = (await post('/dta/predict', pair)).json().task_id
  const { id } = (await post('/screens', screen)).json()
  const { id: linkedId } = (await post('/screens', screen)).json()
  await post('/measurements', { target: 'mine', text: 'aspirin;5 nM' })
  const read = async (url: string) => (await t.app.inject({ url, headers })).json()
  const measurementId = (await read('/measurements')).measurements[0].id
  const fileId = (await read('/file_manager/files')).files[0].file_id
  const commentId = (await post(`/screens/${id}/comments`, { text: 'by the owner' })).json().id
  const found = { taskId, id, linkedId, measurementId, fileId, commentId }
  expect(Object.values(found).map((one) => typeof one)).toEqual(Array(6).fill('string'))
  return { ...found, userId, keyId: taskId, collection: 'users' }
}

/** All data that is not the stranger's. */
async function readOthersThings(): Promise<string[]> {
  const everything = await readEverything(t)
  return Object.values(everything)
    .flat()
    .filter((row) => !row.includes(stranger.userId))
}
