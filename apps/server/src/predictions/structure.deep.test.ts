/** Screens that use the structure, from the request to the files, on a structure with its ligand. */
import { readFile } from 'node:fs/promises'
import { PredictAnswer, Screen, ScreenMatrix, ScreenQuote, ScreenRow } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { openTestSession, type TestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'
import { readTestZip } from '#test/read-test-zip.ts'
import { countBytes } from '#server/files/service.ts'
import { readPoseReasons } from './pose-reasons.ts'
import { orderNumber } from './screen-table.ts'
import { POSE_BYTES } from './structure-order.ts'

const sample = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const amprenavir = 'CC(C)CN(C[C@H]([C@H](Cc1ccccc1)NC(=O)O[C@H]2CCOC2)O)S(=O)(=O)c3ccc(cc3)N'
const compounds = [
  `${amprenavir} amprenavir`,
  `${amprenavir.replace('c3ccc(cc3)N', 'c3ccc(cc3)OC')} methoxy`,
  `${amprenavir.replace('c3ccc(cc3)N', 'c3ccc(cc3)F')} fluoro`,
  `${amprenavir.replace('CC(C)CN', 'CN')} methyl`,
  'ClC(Cl)Cl chloroform',
]
const names = ['amprenavir', 'methoxy', 'fluoro', 'methyl', 'chloroform']

const t = await openTestProduct()
const user = await openTestSession(t.db, { credits: 100 })
await t.upload(user.headers, 'protein_pdb', '1hpv.pdb', sample)
await t.upload(user.headers, 'protein_pdb', 'empty.pdb', sample.replaceAll(/^HETATM.*\n/gm, ''))
await t.upload(user.headers, 'drug_smiles', 'compounds.txt', compounds.join('\n'))
await t.startWorker()
afterAll(() => t.close())

const post = (url: string, payload: object) =>
  t.app.inject({ method: 'POST', url, payload, headers: user.headers })
const get = (url: string) => t.app.inject({ url, headers: user.headers })
const read = async (id: string) => Screen.parse((await get(`/screens/${id}`)).json())

async function start(request: object = {}): Promise<Screen> {
  const started = await post('/screens', {
    targets: ['1hpv'],
    compounds: names,
    structure: true,
    ...request,
  })
  expect(started.statusCode).toBe(200)
  return Screen.parse(started.json())
}

const untilPlaced = (id: string) =>
  vi.waitFor(
    async () => {
      const screen = await read(id)
      expect(['DONE', 'FAILED']).toContain(screen.structure_status)
      return screen
    },
    { timeout: 60_000, interval: 100 },
  )

const rowsOf = async (id: string, query = '') =>
  z
    .object({ rows: z.array(ScreenRow) })
    .parse((await get(`/screens/${id}/results?page_size=1000${query}`)).json()).rows

test('SPEC 29.6: a compound placed alone is compared with nothing, so its pose moves nothing', async () => {
  const screen = await start({ compounds: ['amprenavir'] })
  await untilPlaced(screen.id)
  const [row] = await rowsOf(screen.id)
  expect(row).toMatchObject({ best_kd: row?.predicted_kd, structure_adjusted: null })
  const poses = await get(`/screens/${screen.id}/poses.sdf`)
  expect(poses.body.match(/^\$\$\$\$$/gm)).toHaveLength(1)
})

test('SPEC 29.5, 29.6, 29.9: a screen with structure gets adjusted predictions after the plain ones, which do not change', async () => {
  const before = await post('/screens', { targets: ['1hpv'], compounds: names })
  const plain = Screen.parse(before.json())
  expect(plain).toMatchObject({ structure_status: null, structure_total: null })
  const used = await countBytes(t.db, user.userId)
  const screen = await start()
  expect(screen).toMatchObject({ structure_total: 5, structure_done: 0 })
  expect(['QUEUED', 'RUNNING']).toContain(screen.structure_status)
  const ended = await untilPlaced(screen.id)
  expect(ended).toMatchObject({
    status: 'DONE',
    structure_status: 'DONE',
    structure_done: 5,
    structure_message: null,
  })
  const rows = await rowsOf(screen.id)
  const plainRows = await rowsOf(plain.id)
  expect(rows.map((row) => row.predicted_kd)).toEqual(plainRows.map((row) => row.predicted_kd))
  // The poses of the other screen count here as well.
  expect(plainRows.map((row) => row.best_kd)).toEqual(rows.map((row) => row.best_kd))
  const placed = rows.slice(0, 4)
  const shifts = placed.map((row) => {
    expect(row.structure_reason).toBeNull()
    const { value = 0, lower = 0, upper = 0 } = row.structure_adjusted ?? {}
    const shift = value - (row.predicted_kd ?? 0)
    expect(lower).toBeCloseTo((row.lower ?? 0) + shift, 2)
    expect(upper).toBeCloseTo((row.upper ?? 0) + shift, 2)
    return shift
  })
  // Features are centred on the compounds placed together.
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeCloseTo(0, 2)
  expect(Math.max(...shifts)).toBeGreaterThan(0.02)
  expect(rows[4]).toMatchObject({
    predicted_kd: expect.any(Number),
    structure_adjusted: null,
    structure_reason: expect.stringMatching(/^Too different from the reference ligand/),
  })
  const { rows: sizes } = await sql<{
    bytes: number
  }>`select sum(pg_column_size(poses.*)) as bytes from poses
    where order_number = ${orderNumber(screen.id)}`.execute(t.db)
  const kept = Number(sizes[0]?.bytes)
  expect(kept).toBeGreaterThan(500)
  expect(kept / 4).toBeLessThan(1.5 * POSE_BYTES)
  expect((await countBytes(t.db, user.userId)) - used).toBeGreaterThanOrEqual(kept)
})

test('SPEC 29.6: rows are sorted by the number that the pose has moved', async () => {
  const screen = await start()
  await untilPlaced(screen.id)
  const rows = await rowsOf(screen.id, '&sort=affinity')
  const numbers = rows.map((row) => row.structure_adjusted?.value ?? row.predicted_kd ?? 0)
  expect(rows.map((row) => row.best_kd)).toEqual(numbers)
  expect(numbers).toEqual(numbers.toSorted((one, other) => other - one))
})

test('SPEC 29.19: the matrix contains the numbers of the rows', async () => {
  const screen = await start()
  await untilPlaced(screen.id)
  const rows = await rowsOf(screen.id, '&sort=input')
  const details = await get(`/screens/${screen.id}/matrix?details=true`)
  const matrix = ScreenMatrix.parse(details.json())
  for (const [at, { best_kd, best_lower }] of rows.entries()) {
    const inHundredths = (packed = '') => Buffer.from(packed, 'base64').readInt16LE(2 * at)
    expect(inHundredths(matrix.best_kd) / 100).toBeCloseTo(best_kd ?? 0, 1)
    expect(inHundredths(matrix.interval_lower) / 100).toBeCloseTo(best_lower ?? 0, 1)
  }
})

test('SPEC 29.7: files of the screen have the pKd after the pose with its interval', async () => {
  const screen = await start()
  await untilPlaced(screen.id)
  const csv = (await get(`/screens/${screen.id}/results.csv`)).body.split('\r\n')
  expect(csv[0]).toContain('pKd (pose),Lower 95% (pose),Upper 95% (pose),Why there is no pose')
  expect(csv[5]).toContain('Too different from the reference ligand')
  const sdf = (await get(`/screens/${screen.id}/results.sdf`)).body
  expect(sdf.match(/> {2}<pKd \(pose\)>/g)).toHaveLength(4)
  const lines = await t.app.inject({
    url: `/screens/${screen.id}/results`,
    headers: { ...user.headers, accept: 'application/x-ndjson' },
  })
  const [first = ''] = lines.body.split('\n')
  expect(ScreenRow.parse(JSON.parse(first)).structure_adjusted?.value).toEqual(expect.any(Number))
  const poses = await get(`/screens/${screen.id}/poses.sdf?target=1hpv`)
  expect(poses.statusCode).toBe(200)
  expect(poses.body.match(/^\$\$\$\$$/gm)).toHaveLength(4)
  expect(poses.body).toContain('Placed by common substructure, not an experimental pose.')
  const differences = [
    ...poses.body.matchAll(/<Difference from compounds of the screen, pK>\n(.*)/g),
  ]
  expect(differences).toHaveLength(4)
  expect(new Set(differences.map(([, one]) => Number(one))).size).toBeGreaterThan(1)
  expect((await get(`/screens/${screen.id}/poses.sdf`)).body).toBe(poses.body)
  expect((await get(`/screens/${screen.id}/poses.sdf?target=nobody`)).statusCode).toBe(404)
})

test('SPEC 23.4, 29.7: the account export contains the poses of each screen and target as SDF, of this user alone', async () => {
  const other = await openTestSession(t.db)
  const screen = await start()
  await untilPlaced(screen.id)
  const files = await exportAccount(user)
  const poses = `poses/${screen.id} 1 1hpv.sdf`
  expect(files[`screens/${screen.id}.csv`]).toContain('pKd (pose)')
  expect(files[poses]).toBe((await get(`/screens/${screen.id}/poses.sdf?target=1hpv`)).body)
  expect(files[poses]?.match(/^\$\$\$\$$/gm)).toHaveLength(4)
  const names = Object.keys(await exportAccount(other))
  expect(names.filter((name) => name.startsWith('poses/'))).toEqual([])
})

async function exportAccount({ headers }: TestSession): Promise<Record<string, string>> {
  const { rawPayload } = await t.app.inject({ url: '/account/export', headers })
  return Object.fromEntries(await readTestZip(rawPayload))
}

test('SPEC 29.8: compounds get no pose on a target without a ligand; the quote names it, and its rows say why', async () => {
  // Another sequence: poses count for every structure of the same one.
  const short = sample.replaceAll(/^(?:HETATM|ATOM.{18} {2}99).*\n/gm, '')
  await t.upload(user.headers, 'protein_pdb', 'short.pdb', short)
  const asked = { targets: ['1hpv', 'short'], compounds: names.slice(0, 2), structure: true }
  const quote = ScreenQuote.parse((await post('/screens/quote', asked)).json())
  expect(quote.structure).toMatchObject({
    poses: 2,
    ligands: [{ target: '1hpv' }],
    without_ligand: [{ target: 'short', chain: expect.any(String) }],
  })
  const screen = await start(asked)
  expect(screen.structure_total).toBe(2)
  expect(await untilPlaced(screen.id)).toMatchObject({
    structure_status: 'DONE',
    structure_done: 2,
  })
  const reasons = (await rowsOf(screen.id)).map((row) => [row.target, row.structure_reason])
  const missing = ['short', 'short has no ligand to place compounds on.']
  expect(reasons).toEqual([['1hpv', null], missing, ['1hpv', null], missing])
  const without = await start({ ...asked, targets: ['short'] })
  expect(without).toMatchObject({ structure_status: null, structure_total: null })
})

test('SPEC 29.8: a screen of more compounds than can be placed is refused, at no cost', async () => {
  const balance = () =>
    t.db
      .selectFrom('users')
      .select('credits')
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
  const before = await balance()
  for (const url of ['/screens/quote', '/screens']) {
    const many = await post(url, {
      targets: ['1hpv'],
      compounds: Array.from({ length: 5001 }, () => 'amprenavir'),
      structure: true,
    })
    expect(many.statusCode).toBe(400)
    expect(many.json()).toMatchObject({
      detail: expect.stringContaining('At most 5,000 compounds are placed in a structure'),
    })
  }
  expect(await balance()).toEqual(before)
})

test('SPEC 29.5: a quote with structure has the number of poses and their time', async () => {
  const asked = { targets: ['1hpv'], compounds: names }
  const quote = async (request: object) =>
    ScreenQuote.parse((await post('/screens/quote', { ...asked, ...request })).json())
  expect((await quote({ structure: true })).structure).toEqual({
    poses: 5,
    seconds: 1,
    ligands: [
      {
        target: '1hpv',
        chain: expect.any(String),
        reference: '478 200 _',
        references: [{ id: '478 200 _', heavy_atoms: 35 }],
      },
    ],
    without_ligand: [],
  })
  expect((await quote({})).structure).toBeUndefined()
})

test('SPEC 29.17: compounds are placed on the ligand selected for each target, as it was when the screen started', async () => {
  const first = await start({ compounds: ['amprenavir'] })
  await untilPlaced(first.id)
  const record = (await get(`/screens/${first.id}/poses.sdf`)).body
  const call = (method: 'PUT' | 'DELETE', url: string, payload?: object) =>
    t.app.inject({ method, url, headers: user.headers, ...(payload && { payload }) })
  const given = await call('PUT', '/poses/own-ligand', { target: 'empty', sdf: record })
  expect(given.statusCode).toBe(200)
  const targets = ['empty', { name: '1hpv', reference: '478 200 _' }]
  const screen = await start({ targets, compounds: names })
  await call('DELETE', '/poses/own-ligand?target=empty')
  expect((await untilPlaced(screen.id)).structure_status).toBe('DONE')
  const ligandsOf = async (target: string) => {
    const { body } = await get(`/screens/${screen.id}/poses.sdf?target=${target}`)
    return [...body.matchAll(/> {2}<Reference ligand>\n(.*)/g)].map(([, id]) => id)
  }
  expect(await ligandsOf('empty')).toEqual(Array(4).fill('own ligand'))
  expect(await ligandsOf('1hpv')).toEqual(Array(4).fill('478 200 _'))
  const unknown = { targets: [{ name: '1hpv', reference: 'ATP 1 A' }] }
  const refused = await post('/screens', { compounds: names, structure: true, ...unknown })
  expect(refused.statusCode).toBe(400)
  expect(refused.json()).toMatchObject({ detail: '1hpv has no ligand “ATP 1 A”.' })
})

test('SPEC 29.9: cancelling a screen whose predictions have ended cancels its poses, and deleting it deletes them', async () => {
  const many = Array.from({ length: 400 }, (_, at) => names[at % 4] ?? '')
  const screen = await start({ compounds: many })
  await vi.waitFor(async () => expect((await read(screen.id)).structure_status).toBe('RUNNING'), {
    timeout: 20_000,
    interval: 20,
  })
  const cancel = (query = '') =>
    t.app.inject({
      method: 'DELETE',
      url: `/screens/${screen.id}${query}`,
      headers: user.headers,
    })
  expect(Screen.parse((await cancel()).json())).toMatchObject({
    status: 'DONE',
    structure_status: 'FAILED',
    structure_message: expect.stringContaining('Cancelled.'),
  })
  const rows = await rowsOf(screen.id)
  expect(rows.every((row) => row.predicted_kd !== null)).toBe(true)
  // Their numbers have the poses of other screens.
  expect((await readPoseReasons(t.db, screen.id))?.(399, 0)).toBe(
    'The poses were cancelled or failed before this compound was placed.',
  )
  await cancel('?forever=true')
  const left = await t.db
    .selectFrom('blocks')
    .select('job_id')
    .where('order_id', '=', screen.id)
    .execute()
  expect(left).toEqual([])
})

test('SPEC 29.23: a compound predicted alone, or later for the series, is placed and compared like the compounds of the screen', async () => {
  const chloro = amprenavir.replace('c3ccc(cc3)N', 'c3ccc(cc3)Cl')
  await t.upload(user.headers, 'drug_smiles', 'later.txt', `${chloro} chloro`)
  const screen = await start()
  await untilPlaced(screen.id)
  const predict = async () => {
    const payload = { protein_id: '1hpv', compound_id: 'chloro' }
    return PredictAnswer.parse((await post('/dta/predict', payload)).json())
  }
  const first = await predict()
  const alone = await vi.waitFor(
    async () => {
      const answer = await predict()
      const best = 'result' in answer ? answer.result?.best_estimate : undefined
      expect(best?.pose).toBeDefined()
      return best
    },
    { timeout: 30_000, interval: 100 },
  )
  expect(first.credits_charged).toBe(1)
  const own = await post('/predict', { target: '1hpv', smiles: [chloro], screen: screen.id })
  const { id } = z.object({ id: z.string() }).parse(own.json())
  await untilPlaced(id)
  const [row] = await rowsOf(id)
  expect(row?.predicted_kd).not.toBe(row?.best_kd)
  expect(row?.best_kd).toBe(alone?.predicted_kd)
  const csv = (await get(`/screens/${screen.id}/results.csv`)).body.split('\r\n')
  expect(csv[6]).toContain(`,${row?.structure_adjusted?.value},`)
  // The compounds of the screen are compared with each other alone, as before.
  const shifts = (await rowsOf(screen.id))
    .slice(0, 4)
    .map((one) => (one.best_kd ?? 0) - (one.predicted_kd ?? 0))
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeCloseTo(0, 2)
})
