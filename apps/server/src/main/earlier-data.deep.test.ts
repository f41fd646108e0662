/**
 * Databases filled by earlier versions, as `pg_dump` wrote them, with the responses of those versions: this version
 * must return the same. A fixture is named after the commit of its version.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { listMeasurements, PastPrediction, Receipt, Screen, ScreenRow, Task } from '@pkdex/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { writeReceipt } from '#server/evidence/receipt.ts'
import { migrate, overPglite } from '#server/platform/db/open.ts'
import { openLog } from '#server/platform/log.ts'
import { findPredictedPair } from '#server/predictions/service.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const EarlierTask = Task.extend({ task_id: z.string() })
const Names = z.object({ compound_names: z.array(z.string()) })

const LedgerEntry = z.object({
  id: z.string(),
  delta: z.number(),
  balance_after: z.number(),
  reason: z.string(),
  actor: z.string(),
  created_at: z.string(),
})

/** The last responses of the earlier version. `open`: a task that was never run. */
const Earlier = z.object({
  user_id: z.string(),
  key: z.string(),
  tasks: z.array(EarlierTask),
  open: z.object({ task_id: z.string(), credits_charged: z.number() }),
  credits_after: z.object({ credits: z.number() }),
  ledger: z.object({ entries: z.array(LedgerEntry) }),
  compounds: Names,
})

const EarlierWithScreens = Earlier.extend({
  screens: z.array(Screen.pick({ id: true, total: true, credits_charged: true, created_at: true })),
  calls: z.array(Screen.pick({ id: true, total: true, credits_charged: true, created_at: true })),
  rows: z.array(ScreenRow.pick({ row: true, compound: true, predicted_kd: true })),
  opened: EarlierTask,
  receipt: Receipt,
  measurements: z.object({ measurements: z.array(z.looseObject({ id: z.string() })) }),
})

const fixture = (name: string) =>
  readFileSync(new URL(`fixtures/earlier-data/${name}`, import.meta.url))

async function openEarlier<T extends z.infer<typeof Earlier>>(commit: string, shape: z.ZodType<T>) {
  const pglite = await PGlite.create()
  await pglite.exec(gunzipSync(fixture(`${commit}.sql.gz`)).toString('utf8'))
  await pglite.exec('reset all')
  const database = overPglite(pglite, openLog('silent'))
  await migrate(database.db)
  const t = await openTestProduct({}, database)
  onTestFinished(() => t.close())
  const earlier = shape.parse(JSON.parse(fixture(`${commit}.json`).toString('utf8')))
  const get = async (url: string, headers = {}) => {
    const answer = await t.app.inject({ url, headers: { 'api-key': earlier.key, ...headers } })
    expect([url, answer.statusCode]).toEqual([url, 200])
    return answer
  }
  const read = async <A>(url: string, answer: z.ZodType<A>) =>
    answer.parse((await get(url)).json<unknown>())
  return { t, earlier, get, read }
}

type Opened = Awaited<ReturnType<typeof openEarlier<z.infer<typeof Earlier>>>>

const historyOf = async ({ read }: Pick<Opened, 'read'>) =>
  (await read('/history', z.object({ predictions: z.array(PastPrediction) }))).predictions

/** Key, balance, ledger, names, and every task with its prediction and cost; open tasks that were charged are predicted. */
async function expectSame({ t, earlier, read }: Opened): Promise<void> {
  const balance = () => read('/dta/credits', z.looseObject({ credits: z.number() }))
  expect(await balance()).toMatchObject(earlier.credits_after)
  expect(await read('/dta/get_compound_names', Names)).toMatchObject(earlier.compounds)
  const ledger = await t.db
    .selectFrom('ledger')
    .select(['id', 'delta', 'balance_after', 'reason', 'actor', 'created_at'])
    .where('user_id', '=', earlier.user_id)
    .orderBy('id', 'desc')
    .execute()
  const told = ledger.map((row) => ({
    ...row,
    id: String(row.id),
    created_at: row.created_at.toISOString(),
  }))
  // The open task was charged after that response.
  expect(told.slice(-earlier.ledger.entries.length)).toMatchObject(earlier.ledger.entries)
  for (const { task_id, ...task } of earlier.tasks) {
    expect(await read(`/dta/predict/${task_id}`, Task)).toMatchObject(task)
  }
  const { task_id: openId, credits_charged } = earlier.open
  expect(await read(`/dta/predict/${openId}`, Task)).toMatchObject({ status: 'PENDING' })
  await t.startWorker()
  await vi.waitFor(
    async () =>
      expect(await read(`/dta/predict/${openId}`, Task)).toMatchObject({
        status: 'SUCCESS',
        credits_charged,
        result: { predicted_kd: expect.any(Number) },
      }),
    { timeout: 60_000, interval: 200 },
  )
  expect(await balance()).toMatchObject(earlier.credits_after)
}

test('data of 22 November 2026 (single predictions) give the same responses as before', async () => {
  const opened = await openEarlier('afbd0e6', Earlier)
  await expectSame(opened)
  const { tasks, open } = opened.earlier
  const listed = (await historyOf(opened)).map(({ task_id }) => task_id)
  expect(listed).toEqual([open.task_id, ...tasks.map(({ task_id }) => task_id).toReversed()])
})

test('data of 23 November 2026 (screens, POST /predict, measured values) give the same responses as before', async () => {
  const opened = await openEarlier('08dc83e', EarlierWithScreens)
  const { t, earlier, get, read } = opened
  const Screens = z.object({ screens: z.array(Screen) })
  expect((await read('/screens', Screens)).screens).toMatchObject(earlier.screens)
  expect((await read('/screens?kind=call', Screens)).screens).toMatchObject(earlier.calls)
  const [{ id } = { id: '' }] = earlier.screens
  const ndjson = await get(`/screens/${id}/results`, { accept: 'application/x-ndjson' })
  const rows = ndjson.body
    .trim()
    .split('\n')
    .map((line) => ScreenRow.parse(JSON.parse(line)))
  expect(rows).toMatchObject(earlier.rows)
  // The pair of an opened cell was not requested, but its task can still be polled.
  const listed = (await historyOf(opened)).map(({ task_id }) => task_id)
  expect(listed).toEqual(earlier.tasks.map(({ task_id }) => task_id).toReversed())
  const { task_id: openedId, ...openedTask } = earlier.opened
  expect(await read(`/dta/predict/${openedId}`, Task)).toMatchObject(openedTask)
  expect(await read('/measurements', listMeasurements.answer)).toMatchObject(earlier.measurements)
  await expectSameReceipt(opened)
  await expectSame(opened)
  // Values predicted by an earlier model, and one still waiting, are predicted by this model.
  const waiting = t.db.selectFrom('measurements').select('id').where('is_predicted', '=', false)
  await vi.waitFor(async () => expect(await waiting.execute()).toEqual([]), 60_000)
  const numbers = await t.db.selectFrom('measurements').select('predicted').execute()
  expect(numbers).toHaveLength(3)
  for (const { predicted } of numbers) expect(predicted).toBeGreaterThan(0)
})

/** Recreated from the stored data, with the model that predicted it. */
async function expectSameReceipt({
  t,
  earlier,
}: {
  t: Opened['t']
  earlier: z.infer<typeof EarlierWithScreens>
}) {
  const { receipt } = earlier
  const store = { read: async () => null, readTarget: async () => null }
  const asked = { userId: earlier.user_id, target: receipt.structure.name }
  const found = await findPredictedPair(
    { db: t.db, modelVersion: receipt.model.version, store },
    { ...asked, compound: receipt.compound.name },
  )
  expect(found.result).not.toBeNull()
  if (found.result === null) return
  const model = { version: receipt.model.version, cardSha256: receipt.model.card_sha256 }
  expect(writeReceipt(found, found.result, model)).toEqual(receipt)
}
