/** A viewer of a finished screen with poses, own values and follow-ups reads what the owner reads, and costs nothing. */
import { readFile } from 'node:fs/promises'
import { Screen, SHARED_SCREEN_HEADER } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const sample = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const amprenavir = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N'
const compounds = ['N', 'OC', 'F', 'Cl'].map(
  (group, at) => `${amprenavir.replace('cc3)N', `cc3)${group}`)} C${at}`,
)

const t = await openTestProduct()
afterAll(() => t.close())
const owner = await openTestSession(t.db)
const viewer = await openTestSession(t.db)
const call = (
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
  headers: object = owner.headers,
) => t.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) })

async function makeScreen(): Promise<string> {
  await t.upload(owner.headers, 'protein_pdb', 'hpv.pdb', sample)
  await t.upload(owner.headers, 'drug_smiles', 'compounds.txt', compounds.join('\n'))
  await t.startWorker()
  const measured = 'C0;1 nM\nC1;20 nM\nC2;300 nM'
  await call('POST', '/measurements', { target: 'hpv', text: measured })
  const request = { targets: ['hpv'], compounds: 'all', structure: true }
  const { id } = Screen.parse((await call('POST', '/screens', request)).json())
  const untilPlaced = async () =>
    expect((await call('GET', `/screens/${id}`)).json().structure_status).toBe('DONE')
  await vi.waitFor(untilPlaced, { timeout: 90_000, interval: 200 })
  const follow = { target: 'hpv', smiles: [amprenavir.replace('cc3)N', 'cc3)Br')], screen: id }
  expect((await call('POST', '/predict', follow)).statusCode).toBe(200)
  await call('PUT' as 'POST', '/series/lists', {
    target: 'hpv',
    list: 'make',
    smiles: ['CCO'],
    listed: true,
  })
  // Values and follow-ups of the owner are predicted, and placed, in the background.
  const untilQuiet = async () => {
    const open = t.db.selectFrom('blocks').select('order_id').where('status', '=', 'WAITING')
    expect(await open.execute()).toEqual([])
    const values = t.db.selectFrom('measurements').select('id').where('order_id', 'is not', null)
    expect(await values.execute()).toEqual([])
  }
  await vi.waitFor(untilQuiet, { timeout: 60_000, interval: 200 })
  return id
}

/** What a viewer could be charged for or leave behind. */
async function readMoney() {
  const counts: Record<string, unknown> = {}
  for (const table of [
    'orders',
    'blocks',
    'pairs',
    'readings',
    'ledger',
    'measurements',
    'targets',
  ]) {
    const { rows } =
      await sql`select count(*), max(one::text) from ${sql.table(table)} one`.execute(t.db)
    counts[table] = rows
  }
  const users = await t.db.selectFrom('users').select(['id', 'credits']).orderBy('id').execute()
  return { counts, users }
}

test('SPEC 35.3: a viewer reads the owner’s numbers, poses, evidence, values and lists, and nothing is predicted or charged', async () => {
  const id = await makeScreen()
  await call('POST', `/screens/${id}/shares`, { email: viewer.email })
  const headers = { ...viewer.headers, [SHARED_SCREEN_HEADER]: id }
  const place = `screen=${id}&row=1&column=1`
  const compound = compounds.map((line) => ({ smiles: line.split(' ')[0] ?? '' }))
  const next = { screens: [id], target: 'hpv' }
  const paths = ['results', 'results?sort=affinity&order=desc', 'results.csv', 'results.sdf']
  const inScreen = ['matrix', 'matrix?details=true', 'poses.sdf', 'events', ...paths]
  const byPlace = ['details', 'atoms', 'similar', 'receipt']
  const requests: [string, object?][] = [
    ...inScreen.map((path): [string] => [`/screens/${id}/${path}`]),
    [`/screens?follow_up_of=${id}`],
    ...byPlace.map((path): [string] => [`/evidence/${path}?${place}`]),
  ]
  const named: [string, object?][] = [
    ['/evidence/target?target=hpv'],
    ['/poses?target=hpv&compound=C1'],
    ['/poses/file?target=hpv&compound=C1&format=sdf'],
    ['/poses/references?target=hpv'],
    ['/file_manager/targets/hpv'],
    ['/file_manager/targets/hpv/structure'],
    ['/file_manager/compounds/C1'],
    ['/visualization/protein/hpv'],
    ['/visualization/molecule/C1'],
    ['/measurements/comparison?target=hpv'],
    ['/measurements/combined?target=hpv'],
    ['/series/lists?target=hpv'],
    ['/series/next', next],
    ['/series/pairs', { compounds: compound, target: 'hpv' }],
  ]
  const before = await readMoney()
  const wrong: string[] = []
  for (const [url, payload] of [...requests, ...named]) {
    const method = payload === undefined ? 'GET' : 'POST'
    const isNamed = named.some(([one]) => one === url)
    const theirs = await call(method, url, payload, isNamed ? headers : viewer.headers)
    const own = await call(method, url, payload)
    const seen = theirs.body.replaceAll(/"shared_by":\{[^}]*\}/g, '"shared_by":null')
    if (theirs.statusCode !== 200 || seen !== own.body) {
      wrong.push(`${url}: ${theirs.statusCode} ${theirs.body.slice(0, 300)}`)
    }
  }
  expect(wrong).toEqual([])
  const [followUp] = (await call('GET', `/screens?follow_up_of=${id}`)).json().screens
  const followed = await call('GET', `/screens/${followUp.id}/results`, undefined, viewer.headers)
  expect(followed.json().rows[0].best_kd).toBeGreaterThan(1)
  const asked = { targets: ['hpv'], compounds: ['C1'] }
  const predict = { target: 'hpv', smiles: ['CCCCO'], screen: id }
  expect((await call('POST', '/screens', asked, viewer.headers)).statusCode).toBe(400)
  expect((await call('POST', '/predict', predict, viewer.headers)).statusCode).toBe(404)
  expect((await call('POST', '/predict', predict, headers)).statusCode).toBe(403)
  expect(await readMoney()).toEqual(before)
})
