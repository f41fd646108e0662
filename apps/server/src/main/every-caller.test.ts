/**
 * Every call of the API documentation against every kind of caller. A call that is not in the table fails the
 * test, so that nobody can add one without saying what it answers to somebody else.
 */
import { readFile } from 'node:fs/promises'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestSession, type TestSession } from '#server/auth/open-test-session.ts'
import { readEverything } from '#server/platform/db/backup/fixtures/rows.ts'
import { type Callers, openCallers } from './open-test-callers.ts'
import { openTestProduct, type TestProduct } from './open-test-product.ts'

/** What another user is answered who names the owner's thing; `own`: the call knows nothing but the caller's own. */
type Row = { stranger: 404 | 'own'; body?: object; query?: string } | 'administrator' | 'open'

const pair = { protein_id: 'mine', compound_id: 'aspirin' }
const screen = { targets: ['mine'], compounds: ['aspirin'] }
const theirs = (body?: object): Row => ({ stranger: 404, ...(body && { body }) })
const theirsAt = (query: string): Row => ({ stranger: 404, query })
const own = (body?: object): Row => ({ stranger: 'own', ...(body && { body }) })

const table: Record<string, Row> = {
  'POST /dta/login': own(),
  'GET /dta/get_protein_names': own(),
  'GET /dta/get_compound_names': own(),
  'GET /dta/credits': own(),
  'GET /dta/known': own(),
  'POST /dta/predict': theirs(pair),
  'GET /dta/predict/{taskId}': theirs(),
  'GET /history': own(),
  'GET /history.csv': own(),
  'POST /file_manager/upload': own(),
  'GET /file_manager/usage': own(),
  'GET /file_manager/targets/{name}': theirs(),
  'PUT /file_manager/targets/{name}/chain': theirs({ chain: 'B' }),
  'GET /file_manager/compounds/{name}': theirs(),
  'GET /visualization/protein/{name}': theirs(),
  'GET /visualization/molecule/{name}': theirs(),
  'GET /file_manager/files': own(),
  'PATCH /file_manager/files/{fileId}': theirs({ filename: 'other.pdb' }),
  'DELETE /file_manager/files/{fileId}': theirs(),
  'PATCH /file_manager/targets/{name}': theirs({ name: 'other' }),
  'DELETE /file_manager/targets/{name}': theirs(),
  'GET /file_manager/targets/{name}/structure': theirs(),
  'PATCH /file_manager/compounds/{name}': theirs({ name: 'other' }),
  'DELETE /file_manager/compounds/{name}': theirs(),
  'GET /evidence/atoms': theirsAt('target=mine&compound=aspirin'),
  'GET /evidence/alike': theirsAt('target=mine&compound=aspirin'),
  'GET /evidence/receipt': theirsAt('target=mine&compound=aspirin'),
  'GET /measurements': own(),
  'POST /measurements': theirs({ target: 'mine', text: 'aspirin;5 nM' }),
  'DELETE /measurements': theirsAt('target=mine'),
  'GET /measurements/comparison': theirsAt('target=mine'),
  'PUT /measurements/{id}': theirs({ value: 5, unit: 'nM', type: 'Kd' }),
  'DELETE /measurements/{id}': theirs(),
  'GET /account/export': own(),
  'DELETE /account': own({ confirm: 'somebody@else.example' }),
  'GET /account/keys': own(),
  'POST /account/keys': own({ name: 'notebook' }),
  'DELETE /account/keys/{keyId}': theirs(),
  'POST /predict': theirs({ smiles: 'not-a-molecule', target: 'mine' }),
  'GET /screens': own(),
  'POST /screens': own(screen),
  'POST /screens/quote': own(screen),
  'GET /screens/{id}': theirs(),
  'DELETE /screens/{id}': theirs(),
  'GET /screens/{id}/results': theirs(),
  'GET /screens/{id}/results.csv': theirs(),
  'GET /screens/{id}/results.sdf': theirs(),
  'GET /screens/{id}/results.xlsx': theirs(),
  'GET /screens/{id}/matrix': theirs(),
  'GET /screens/{id}/events': theirs(),
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
  'GET /admin/users/{userId}/files': 'administrator',
  'GET /admin/users/{userId}/ledger': 'administrator',
  'GET /admin/users/{userId}/api-keys': 'administrator',
  'POST /admin/users/{userId}/api-key': 'administrator',
  'DELETE /admin/users/{userId}/api-keys/{keyId}': 'administrator',
  'GET /admin/database/stats': 'administrator',
  'GET /admin/database/collections': 'administrator',
  'GET /admin/database/predictions': 'administrator',
  'GET /admin/database/export-all': 'administrator',
  'GET /admin/database/export/{collection}': 'administrator',
  'POST /admin/auth/token': 'open',
  'POST /connection/verify-google': 'open',
  'GET /connection/config': 'open',
  'POST /dev/identity/token': 'open',
  'POST /dta/logout': 'open',
  'POST /file_manager/logout': 'open',
}

type Headers = Record<string, string>
const sampleStructure = new URL('../../../../samples/1hpv.pdb', import.meta.url)

let t: TestProduct
let callers: Callers
let stranger: TestSession
/** What somebody is answered who is not let in at all. */
const refusals = new Set([401, 403])
/** What stands in the paths: the owner's things. */
let things: Record<string, string>

beforeAll(async () => {
  t = await openTestProduct()
  const owner = await openTestSession(t.db, { now: t.clock.now() })
  stranger = await openTestSession(t.db, { now: t.clock.now() })
  things = await addThings(owner)
  callers = await openCallers(t)
})
afterAll(() => t.close())

test('the table has a row for every call of the documentation, and no other', async () => {
  expect(Object.keys(table).toSorted()).toEqual((await documented()).toSorted())
})

test('nobody gets in who may not, whatever the call, and nothing is changed by trying', async () => {
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

test('SPEC 6.2: another user gets 404 for a thing of the owner’s, or only what is their own', async () => {
  const before = await readOthersThings()
  const wrong: string[] = []
  for (const [call, row] of Object.entries(table)) {
    if (typeof row === 'string') continue
    const { statusCode: status, body } = await send(call, row, stranger.headers)
    const isRight = row.stranger === 404 ? status === 404 : status < 500 && !refusals.has(status)
    if (!isRight || body.includes('C9H8O4')) wrong.push(`${call}: ${status} ${body.slice(0, 200)}`)
  }
  expect(wrong).toEqual([])
  expect(await readOthersThings()).toEqual(before)
})

test('calls that anybody may make answer in order whatever credentials are sent with them', async () => {
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

async function documented(): Promise<string[]> {
  const { paths } = (await t.app.inject({ url: '/openapi.json' })).json<{
    paths: Record<string, object>
  }>()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

function send(call: string, row: Row, headers: Headers): Promise<LightMyRequestResponse> {
  const [method, path = ''] = call.split(' ')
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(nameIn(path, name)),
  )
  const { body, query = '' } = typeof row === 'object' ? row : {}
  return t.app.inject({
    method: method as 'GET',
    url: query === '' ? url : `${url}?${query}`,
    headers,
    ...(body === undefined ? {} : { payload: body }),
  })
}

function nameIn(path: string, parameter: string): string {
  if (path.startsWith('/measurements')) return things['measurementId'] ?? 'x'
  if (parameter !== 'name') return things[parameter] ?? 'x'
  return /molecule|compound/.test(path) ? 'aspirin' : 'mine'
}

/** The one body of errors, and nothing of what was asked for. */
function isPlainRefusal(answer: LightMyRequestResponse): boolean {
  const body: object = answer.json()
  return Object.keys(body).toSorted().join() === 'code,detail,message'
}

async function addThings({ headers, userId }: TestSession): Promise<Record<string, string>> {
  await t.upload(headers, 'protein_pdb', 'mine.pdb', await readFile(sampleStructure, 'utf8'))
  await t.upload(headers, 'drug_smiles', 'mine.txt', 'CC(=O)Oc1ccccc1C(=O)O aspirin')
  const prefer = { ...headers, prefer: 'respond-async' }
  const post = (url: string, payload: object) =>
    t.app.inject({ method: 'POST', url, headers: prefer, payload })
  const taskId = (await post('/dta/predict', pair)).json().task_id
  const { id } = (await post('/screens', screen)).json()
  await post('/measurements', { target: 'mine', text: 'aspirin;5 nM' })
  const read = async (url: string) => (await t.app.inject({ url, headers })).json()
  const measurementId = (await read('/measurements')).measurements[0].id
  const fileId = (await read('/file_manager/files')).files[0].file_id
  const found = [taskId, id, measurementId, fileId].map((one) => typeof one)
  expect(found).toEqual(['string', 'string', 'string', 'string'])
  return { taskId, id, measurementId, fileId, userId, keyId: taskId, collection: 'users' }
}

/** All that is not the stranger's own. */
async function readOthersThings(): Promise<string[]> {
  const everything = await readEverything(t)
  return Object.values(everything)
    .flat()
    .filter((row) => !row.includes(stranger.userId))
}
