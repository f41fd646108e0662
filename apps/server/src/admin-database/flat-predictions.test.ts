/** The flat table of predictions: names instead of ids, with every single prediction and every pair of a screen. */
import { afterAll, expect, test } from 'vitest'
import { addOldTasks, addPair, openTestAdministrator, openTestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'
import { resultOf } from '#test/open-test-grid.ts'

const t = await openTestProduct()
const administrator = await openTestAdministrator(t.db, t.clock.now())
afterAll(() => t.close())

test('single predictions and pairs of screens are in one table, with names', async () => {
  const now = t.clock.now()
  const { userId, headers } = await openTestSession(t.db, { now })
  const { email } = await t.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const first = await addPair(t, userId, { target: 'kinase', compound: '=ethanol', smiles: 'CCO' })
  await addTask(userId, first, 7.25)
  const second = await addPair(t, userId, { target: 'lost', compound: 'gone' })
  await addTask(userId, second, null)
  await t.db.deleteFrom('targets').where('id', '=', second.targetId).execute()
  const order = { targets: ['kinase'], compounds: ['=ethanol', 'gone'] }
  const url = '/screens'
  const screen = (await t.app.inject({ method: 'POST', url, headers, payload: order })).json()

  const rows = (await read('json')).json()
  const single = { user: email, compound: '=ethanol', smiles: 'CCO', target: 'kinase' }
  const result = { predicted_kd: 7.25, lower: 5.25, upper: 9.25, in_domain: true }
  expect(rows).toHaveLength(4)
  expect(rows).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...single, ...result, status: 'SUCCESS', screen: null }),
      expect.objectContaining({
        compound: 'gone',
        target: null,
        status: 'FAILURE',
        reason: 'It broke.',
      }),
    ]),
  )
  expect(rows.slice(2)).toMatchObject(
    order.compounds.map((compound) => ({
      user: email,
      compound,
      target: 'kinase',
      status: 'PENDING',
      predicted_kd: null,
      screen: screen.id,
    })),
  )
  const lines = (await read('ndjson')).body.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
})

test('a spreadsheet table is the default, contains no formulas, and is in the audit log', async () => {
  const answer = await read('')
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  expect(answer.headers['content-disposition']).toBe(
    'attachment; filename="predictions_with_names.csv"',
  )
  const [heading] = answer.body.split('\r\n')
  expect(heading).toBe(
    'user,target,chain,compound,smiles,status,pKd (sequence),Lower 95% (sequence),Upper 95% (sequence),in_domain,reason,Model version,created_at,Screen',
  )
  expect(answer.body).toContain(",'=ethanol,")
  const audit = await t.app.inject({ url: '/admin/audit', headers: administrator.headers })
  expect(audit.json().entries[0]).toMatchObject({
    administrator: administrator.email,
    action: 'export predictions',
    subject: 'predictions with names as csv',
  })
})

function read(format: string) {
  const url = `/admin/database/predictions${format === '' ? '' : `?format=${format}`}`
  return t.app.inject({ url, headers: administrator.headers })
}

async function addTask(
  userId: string,
  { targetId, compoundId }: { targetId: string; compoundId: string },
  predictedKd: number | null,
): Promise<void> {
  const result = predictedKd === null ? null : { ...resultOf(predictedKd), model_version: 'test-0' }
  const message = predictedKd === null ? { message: 'It broke.' } : {}
  const of = { at: t.clock.now(), result, targetId, compoundId, ...message }
  await addOldTasks(t.db, userId, 1, of)
}
