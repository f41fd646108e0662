/** Properties, alerts and efficiencies next to the predictions of a screen. */
import { compoundProperties, type KnownPair, ScreenMatrix, type ScreenRow } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestParsing } from '#test/open-test-files.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { keepMeasurements } from '#server/measurements/store.ts'
import { openTestPredictions, type TestPredictions } from '#test/open-test-predictions.ts'
import { type TestScreenUser } from '#test/open-test-user.ts'

const parsingWorkers = openTestParsing()
let t: TestPredictions
let user: TestScreenUser
let id: string

/** Replaces the carbon chains that every test user has. */
const molecules = ['Oc1ccc(O)c(N=Nc2ccccc2)c1', 'CC(=O)Oc1ccccc1C(=O)O', 'CCN', 'CCCCO']

beforeAll(async () => {
  t = await openTestPredictions({ parsingWorkers })
  t.work()
  user = await t.addUser({ credits: 100, targets: 2, compounds: molecules.length })
  for (const [at, smiles] of molecules.entries()) {
    await sql`update compounds set smiles = ${smiles}, standard_smiles = ${smiles},
      content_hash = sha256(convert_to(${smiles}, 'UTF8'))
      where user_id = ${user.userId} and name = ${`C${at + 1}`}`.execute(t.db)
  }
  id = (await user.started()).id
  await user.untilEnded(id)
}, 60_000)
afterAll(() => t.close())

const read = async (query = '') =>
  (await user.call('GET', `/screens/${id}/results${query}`)).json<{ rows: ScreenRow[] }>().rows
const namesOf = (rows: ScreenRow[]) => [...new Set(rows.map(({ compound }) => compound))]

test('SPEC 32.2: rows carry properties, alerts and efficiencies of compounds uploaded before', async () => {
  const [first] = await read()
  const pkd = first?.predicted_kd ?? NaN
  expect(first).toMatchObject({
    compound: 'C1',
    mass: expect.closeTo(214.224, 2),
    donors: 2,
    rings: 2,
    heavy_atoms: 16,
    charge: 0,
    measured_pk: null,
    ligand_efficiency: expect.closeTo((1.37 * pkd) / 16, 2),
    lipophilic_efficiency: expect.closeTo(pkd - (first?.log_p ?? NaN), 2),
    alerts: ['PAINS azo_A(324)', 'Brenk diazo group', 'Brenk hydroquinone'],
  })
})

async function measure(pk: number) {
  const target = t.db.selectFrom('targets').select('id').where('user_id', '=', user.userId)
  const { id: targetId } = await target.where('name', '=', 'T1').executeTakeFirstOrThrow()
  const of = { userId: user.userId, targetId, now: new Date(), replace: true }
  const value = {
    compound: 'C2',
    smiles: molecules[1] ?? '',
    type: 'Kd' as const,
    value: `${pk}`,
    pk,
    bound: null,
    fingerprint: Buffer.alloc(0),
  }
  await inTransaction(t.db, (trx) => keepMeasurements(trx, of, [value]))
}

/** 11.1 nM. With three decimals it is 7.955, which reads 7.96. */
test('a measured value reads the same with two decimals as its stored number', async () => {
  await measure(7.954677)
  const [row] = (await read()).filter(({ measured_pk: pk }) => pk !== null)
  expect(row?.measured_pk?.toFixed(2)).toBe('7.95')
  const answer = await user.call('GET', `/screens/${id}/matrix?details=true`)
  expect(ScreenMatrix.parse(answer.json()).measured?.[0]?.pk.toFixed(2)).toBe('7.95')
})

test('SPEC 32.2: rows have the measured value of exactly this pair; efficiencies are those of the best estimate', async () => {
  await measure(9.1)
  const rows = (await read()).filter(({ compound }) => compound === 'C2')
  expect(rows.map((row) => row.measured_pk)).toEqual([9.1, null])
  const { measured } = ScreenMatrix.parse(
    (await user.call('GET', `/screens/${id}/matrix?details=true`)).json(),
  )
  // The second compound of four on the first of two targets.
  expect(measured).toEqual([{ place: 2, pk: 9.1 }])
  const { known } = (await user.call('GET', '/dta/known?protein_id=T1')).json<{
    known: KnownPair[]
  }>()
  expect(known.map(({ compound_id, measured_pk }) => [compound_id, measured_pk])).toEqual([
    ['C1', null],
    ['C2', 9.1],
    ['C3', null],
    ['C4', null],
  ])
  expect(rows[0]?.ligand_efficiency).toBeCloseTo((1.37 * (rows[0]?.best_kd ?? 0)) / 13, 3)
})

test('SPEC 32.3: rows are filtered and sorted by a property and by an efficiency', async () => {
  expect(namesOf(await read('?mass_max=100'))).toEqual(['C3', 'C4'])
  expect(namesOf(await read('?sort=mass&order=asc'))).toEqual(['C3', 'C4', 'C2', 'C1'])
  const best = await read('?sort=ligand_efficiency')
  expect(best[0]?.compound).toBe('C3')
  const lle = await read('?lipophilic_efficiency_min=5')
  expect(lle.length).toBeGreaterThan(0)
  for (const row of lle) expect(row.lipophilic_efficiency).toBeGreaterThanOrEqual(5)
})

test('SPEC 32.3: compounds with an alert can be hidden', async () => {
  expect(namesOf(await read('?alerts=none'))).toEqual(['C3', 'C4'])
  expect(namesOf(await read('?alerts=some'))).toEqual(['C1', 'C2'])
})

test('SPEC 32.2: files have a column per property, and a list of alerts in one cell', async () => {
  const { body } = await user.call('GET', `/screens/${id}/results.csv?target=T1`)
  const [head = '', first = ''] = body.split('\r\n')
  const columns = head.split(',')
  const cells = first.split(',')
  const cell = (name: string) => cells[columns.indexOf(name)]
  expect(columns).toEqual(
    expect.arrayContaining(['MW', 'cLogP', 'TPSA', 'HBD', 'HBA', 'RotB', 'Fsp3', 'LE', 'LLE']),
  )
  expect(Number(cell('MW'))).toBeCloseTo(214.224, 2)
  expect(cell('Alerts')).toBe('"PAINS azo_A(324); Brenk diazo group; Brenk hydroquinone"')
  const sdf = await user.call('GET', `/screens/${id}/results.sdf?target=T1`)
  expect(sdf.body).toContain('>  <cLogP>')
})

test('SPEC 32.3: the charts get the properties of every compound', async () => {
  const { body } = await user.call('GET', `/screens/${id}/matrix?details=true`)
  const packed = Buffer.from(JSON.parse(body).properties, 'base64')
  expect(packed.length).toBe(molecules.length * compoundProperties.length * 4)
  expect(packed.readFloatLE(0)).toBeCloseTo(214.224, 2)
})

test('SPEC 32.7, 32.8: a profile scores and sorts rows, and marks ties', async () => {
  const profile = encodeURIComponent('mass:100..;log_p:..3~1')
  const rows = await read(`?profile=${profile}&sort=profile&target=T1`)
  expect(rows.map(({ compound, profile_probability: share }) => [compound, share])).toEqual([
    ['C2', 1],
    ['C1', expect.closeTo(1 - ((rows[1]?.log_p ?? NaN) - 3), 2)],
    ['C3', 0],
    ['C4', 0],
  ])
  expect(rows.map((row) => row.profile_tied)).toEqual([true, false, false, false])
  // Both have the same probability of reaching this pKd, whatever its error.
  const even = await read(`?profile=${encodeURIComponent('pkd:7..')}&sort=profile&target=T1`)
  expect(even.every((row) => row.profile_tied)).toBe(true)
  const { body } = await user.call('GET', `/screens/${id}/results.csv?profile=${profile}`)
  expect(body.split('\r\n')[0]).toContain('Meets the profile')
  const refused = await user.call('GET', `/screens/${id}/results?profile=colour`)
  expect(refused.statusCode).toBe(400)
})

test('SPEC 32.6: the quote counts alerts by list, and skipped compounds are not charged', async () => {
  const request = { targets: ['T1'], compounds: 'all', leave_out: ['PAINS'] }
  const other = await t.addUser({ credits: 100, targets: 1, compounds: molecules.length })
  for (const [at, smiles] of molecules.entries()) {
    await sql`update compounds set smiles = ${smiles}, standard_smiles = ${smiles},
      content_hash = sha256(convert_to(${smiles}, 'UTF8'))
      where user_id = ${other.userId} and name = ${`C${at + 1}`}`.execute(t.db)
  }
  const quote = await other.call('POST', '/screens/quote', { payload: request })
  expect(quote.json()).toMatchObject({
    compounds: 3,
    credits_needed: 3,
    flagged: { count: 2, by_list: { PAINS: 1, Brenk: 2, own: 0 }, unchecked: 0 },
    left_out: 1,
    unusable_count: 0,
  })
  const screen = await other.started(request)
  await other.untilEnded(screen.id)
  expect(screen.credits_charged).toBe(3)
  const { rows } = (await other.call('GET', `/screens/${screen.id}/results`)).json<{
    rows: ScreenRow[]
  }>()
  expect(rows[0]).toMatchObject({
    compound: 'C1',
    predicted_kd: null,
    reason: 'Left out: PAINS azo_A(324), Brenk diazo group, Brenk hydroquinone.',
  })
})
