import { text } from 'node:stream/consumers'
import { ScreenQuote, Screen } from '@pkdex/contract'
import { InsertQueryBuilder } from 'kysely'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { compoundKey, sequenceKey } from './pair-key.ts'
import { countPaid } from './paid.ts'
import { gridColumns } from '#server/inference/service.ts'
import { predictTestGrid } from '#test/open-test-grid.ts'
import { addPair } from '#test/factories.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { type TestScreenUser } from '#test/open-test-user.ts'

const t = await openTestPredictions()
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

const quoteOf = async (user: TestScreenUser, payload: object) =>
  ScreenQuote.parse((await user.call('POST', '/screens/quote', { payload })).json())

/** The pairs of the first rows, on one target. */
function numbers(count: number) {
  const number = { predicted: 6, lower: 5, upper: 7, domainState: null, isLigandDriven: false }
  const similar = { compoundSimilarity: 0.5, targetSimilarity: 0.5 }
  return Array.from({ length: count }, (_, row) => ({ row, place: 0, ...number, ...similar }))
}

/** Every row of the ledger has the balance after it, and the last one equals the balance. */
async function expectBalanced(user: TestScreenUser): Promise<void> {
  let sum = 0
  for (const { delta, balance } of await user.ledger()) {
    sum = Math.round((sum + delta) * 1000) / 1000
    expect(balance).toBe(sum)
  }
  expect(await user.balance()).toBe(sum)
}

test('SPEC 20.1: a quote counts pairs, lists skipped inputs with the reason, and is free', async () => {
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 3 })
  const quote = await quoteOf(user, {
    targets: ['T1', { name: 'T1', chain: 'B' }, { name: 'T2', chain: 'Z' }, 'nobody'],
    compounds: ['C2', 'C1', 'missing', 'C2'],
  })
  expect(quote).toMatchObject({
    targets: 2,
    compounds: 3,
    total: 6,
    known: 2,
    to_predict: 4,
    credits_needed: 4,
    credits_left: 50,
    unusable_count: 3,
  })
  expect(quote.unusable).toEqual([
    { kind: 'target', name: 'T2', reason: 'T2 has no protein chain Z.' },
    { kind: 'target', name: 'nobody', reason: 'You have no target named “nobody”.' },
    { kind: 'compound', name: 'missing', reason: 'You have no compound named “missing”.' },
  ])
  expect(await user.balance()).toBe(50)
})

test('a quote with structure of targets that do not exist counts no poses', async () => {
  const user = await t.addUser({ credits: 1, targets: 1, compounds: 2 })
  const quote = await quoteOf(user, { targets: ['T9'], compounds: 'all', structure: true })
  expect(quote.structure).toMatchObject({ poses: 0, seconds: 0, ligands: [] })
})

test('a quote counts compounds that are listed twice, under one name or two', async () => {
  const user = await t.addUser({ credits: 50, targets: 2, compounds: 2 })
  await addPair(t.database, user.userId, { compound: 'again', smiles: 'CCN' })
  await addPair(t.database, user.userId, { compound: 'once more', smiles: 'CCN' })
  const compounds = ['C1', 'C2', 'again', 'once more', 'C1']
  expect(await quoteOf(user, { targets: ['T1', 'T2'], compounds })).toMatchObject({
    compounds: 5,
    known: 4,
    to_predict: 6,
    duplicates: 2,
  })
})

test('SPEC 20.2: the size of a screen is limited by its cells, including names that are skipped', async () => {
  const user = await t.addUser({ credits: 50, targets: 20, compounds: 1 })
  const targets = Array.from({ length: 20 }, (_, at) => `T${at + 1}`)
  const compounds = ['C1', ...Array.from({ length: 25_000 }, (_, at) => `nobody ${at}`)]
  for (const path of ['/screens/quote', '/screens']) {
    const refused = await user.call('POST', path, { payload: { targets, compounds } })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({
      detail: expect.stringContaining('This screen has 500,020 pairs'),
    })
  }
  expect(await user.balance()).toBe(50)
})

test('a screen is stored with few statements, however many targets and blocks it has', async () => {
  const user = await t.addUser({ credits: 60, targets: 60, compounds: 1 })
  const targets = Array.from({ length: 60 }, (_, at) => `T${at + 1}`)
  const compounds = ['C1', ...Array.from({ length: 8000 }, (_, at) => `nobody ${at}`)]
  const statements = vi.spyOn(InsertQueryBuilder.prototype, 'execute')
  const started = await user.call('POST', '/screens', { payload: { targets, compounds } })
  expect(started.statusCode).toBe(200)
  expect(statements.mock.calls.length).toBeLessThan(15)
  statements.mockRestore()
})

test('the list of screens names three targets of each, and how many there are', async () => {
  const user = await t.addUser({ credits: 50, targets: 5, compounds: 1 })
  await user.started({ targets: ['T1', 'T2', 'T3', 'T4', 'T5'], compounds: ['C1'] })
  const [listed] = (await user.call('GET', '/screens')).json<{ screens: Screen[] }>().screens
  expect(listed?.targets.map(({ name }) => name)).toEqual(['T1', 'T2', 'T3'])
  expect(listed?.target_count).toBe(5)
})

test('SPEC 20.3: a screen is charged at its start and predicted, and the same pairs are free the next time', async () => {
  const user = await t.addUser({ credits: 10, targets: 2, compounds: 4 })
  t.work()
  const screen = await user.started()
  expect(screen).toMatchObject({ total: 8, known: 0, credits_charged: 8, compounds: 4 })
  expect(await user.untilEnded(screen.id)).toMatchObject({
    status: 'DONE',
    done: 8,
    credits_charged: 8,
    message: null,
  })
  const again = await user.started()
  expect(again).toMatchObject({ status: 'DONE', done: 8, known: 8, credits_charged: 0 })
  expect(again.finished_at).not.toBeNull()
  expect(await quoteOf(user, { targets: ['T1'], compounds: ['C1'] })).toMatchObject({ known: 1 })
  expect((await user.ledger()).map(({ delta, reason }) => [delta, reason])).toEqual([
    [10, 'first sign-in'],
    [-8, 'screen'],
  ])
  await expectBalanced(user)
})

test('a partly known screen costs only the rest, and gets all predictions', async () => {
  const user = await t.addUser({ credits: 20, targets: 2, compounds: 3 })
  t.work()
  await user.untilEnded((await user.started({ targets: ['T1'], compounds: ['C1', 'C2'] })).id)
  const all = await user.started()
  expect(all).toMatchObject({ known: 2, credits_charged: 4 })
  await user.untilEnded(all.id)
  const { rows } = (await user.call('GET', `/screens/${all.id}/results`)).json<{ rows: object[] }>()
  expect(rows).toHaveLength(6)
  for (const row of rows) expect(row).toMatchObject({ reason: null, lower: expect.any(Number) })
  expect(await user.balance()).toBe(14)
})

test('stereoisomers get one number, are charged once, and the quote says so', async () => {
  const user = await t.addUser({ credits: 20, targets: 2, compounds: 3 })
  await t.db
    .updateTable('compounds')
    .set({ flat_key: compoundKey('C') })
    .where('user_id', '=', user.userId)
    .where('name', '=', 'C3')
    .execute()
  t.work()
  expect(await quoteOf(user, { targets: user.targets, compounds: 'all' })).toMatchObject({
    total: 6,
    duplicates: 0,
    stereoisomers: 1,
    known: 2,
    to_predict: 4,
    credits_needed: 4,
  })
  await user.untilEnded((await user.started({ targets: ['T1'], compounds: ['C1'] })).id)
  const other = await user.started({ targets: ['T1'], compounds: ['C3', 'C2'] })
  expect(await user.untilEnded(other.id)).toMatchObject({ known: 1, credits_charged: 1 })
  const payload = { protein_id: 'T1', compound_id: 'C3' }
  const single = await user.call('POST', '/dta/predict', { payload })
  expect(single.json()).toMatchObject({ credits_charged: 0 })
  expect(await user.balance()).toBe(18)
  await expectBalanced(user)
})

test('a pair of a screen is also paid for as a single prediction', async () => {
  const user = await t.addUser({ credits: 20, targets: 2, compounds: 3 })
  t.work()
  await user.untilEnded((await user.started({ targets: ['T1'], compounds: ['C1', 'C3'] })).id)
  const isPairPaid = async (residues: number, smiles: string, userId = user.userId) => {
    const targets = [{ key: sequenceKey(['M'.repeat(residues)]) }]
    const plan = { keys: [compoundKey(smiles).toString('latin1')], targets }
    return (await countPaid(t.db, { userId, modelVersion: 'test-1', plan })).unpaid === 0
  }
  expect(await isPairPaid(3, 'CCC')).toBe(true)
  expect(await isPairPaid(3, 'CC')).toBe(false)
  expect(await isPairPaid(4, 'CCC')).toBe(false)
  const other = await t.addUser({ credits: 20, targets: 2, compounds: 3 })
  expect(await isPairPaid(3, 'CCC', other.userId)).toBe(false)
})

test('an Idempotency-Key of more than 200 characters is refused', async () => {
  const user = await t.addUser({ credits: 9, targets: 1, compounds: 1 })
  const refused = await user.start(undefined, 'k'.repeat(201))
  expect(refused.json()).toMatchObject({
    code: 'invalid_request',
    message: 'The Idempotency-Key is longer than 200 characters.',
  })
  expect(await user.balance()).toBe(9)
})

test('SPEC 20.4: a repeated start with the same Idempotency-Key returns the same screen, charged once', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 5 })
  const order = { targets: ['T1'], compounds: 'all' }
  const answers = await Promise.all([1, 2, 3].map(() => user.start(order, 'monday')))
  const ids = answers.map((answer) => Screen.parse(answer.json()).id)
  expect(new Set(ids).size).toBe(1)
  expect(await user.balance()).toBe(95)
  const other = await user.start({ targets: ['T1'], compounds: ['C1'] }, 'monday')
  expect(other.statusCode).toBe(409)
  await user.call('DELETE', `/screens/${ids[0]}`)
})

test('with credits for one of two simultaneous screens, one starts and the other gets 402', async () => {
  const user = await t.addUser({ credits: 6, targets: 1, compounds: 10 })
  const orders = [
    { targets: ['T1'], compounds: ['C1', 'C2', 'C3', 'C4'] },
    { targets: ['T1'], compounds: ['C5', 'C6', 'C7', 'C8'] },
  ]
  const answers = await Promise.all(orders.map((order) => user.start(order)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 402]))
  expect(await user.balance()).toBe(2)
  await expectBalanced(user)
  const { screens } = (await user.call('GET', '/screens')).json<{ screens: { id: string }[] }>()
  expect(screens).toHaveLength(1)
  await user.call('DELETE', `/screens/${screens[0]?.id}`)
})

test('a screen without usable input is refused with the reason', async () => {
  const user = await t.addUser({ credits: 5, targets: 1, compounds: 1 })
  const answer = await user.start({ targets: ['T9'], compounds: 'all' })
  expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
    400,
    'You have no target named “T9”.',
  ])
})

test('a block’s job carries the request id that started the screen', async () => {
  const user = await t.addUser({ credits: 5, targets: 1, compounds: 1 })
  const answer = await user.start()
  const attempt = await t.fetchBlock()
  if (attempt === undefined) throw new Error('there is no job')
  expect(attempt.reqId).toBe(answer.headers['x-request-id'])
  await t.store.finishBlock(attempt, {
    pairs: [],
    failed: 0,
    modelVersion: 'test-1',
  })
})

test('SPEC 20.5: cancelling a screen keeps finished pairs and refunds the rest exactly once', async () => {
  const user = await t.addUser({ credits: 1000, targets: 1, compounds: 600 })
  const { id } = await user.started()
  const attempt = await t.fetchBlock()
  if (attempt === undefined) throw new Error('there is no job')
  await t.store.finishBlock(attempt, {
    pairs: numbers(256),
    failed: 0,
    modelVersion: 'test-1',
  })
  const answers = await Promise.all([1, 2, 3].map(() => user.call('DELETE', `/screens/${id}`)))
  for (const answer of answers) {
    expect(answer.json()).toMatchObject({ status: 'CANCELLED', done: 256, credits_charged: 256 })
  }
  expect((await user.ledger()).map(({ delta, reason }) => [delta, reason])).toEqual([
    [1000, 'first sign-in'],
    [-600, 'screen'],
    [344, 'screen refund'],
  ])
  await expectBalanced(user)
  expect(await t.fetchBlock()).toBeUndefined()
})

test('other users’ screens return 404', async () => {
  const [user, other] = [
    await t.addUser({ credits: 5, targets: 1, compounds: 1 }),
    await t.addUser({ credits: 5, targets: 1, compounds: 1 }),
  ]
  const { id } = await user.started()
  for (const path of [
    '',
    '/results',
    '/results.csv',
    '/results.xlsx',
    '/results.sdf',
    '/matrix',
    '/events',
  ]) {
    expect((await other.call('GET', `/screens/${id}${path}`)).statusCode).toBe(404)
  }
  expect((await other.call('DELETE', `/screens/${id}`)).statusCode).toBe(404)
  expect((await user.read(id)).status).toBe('QUEUED')
  expect((await user.call('GET', '/screens/none')).statusCode).toBe(404)
  await user.call('DELETE', `/screens/${id}`)
})

test('SPEC 16.6: an open event stream ends when its user is deactivated', async () => {
  const user = await t.addUser({ credits: 1, targets: 1, compounds: 1 })
  const { id } = await user.started()
  const url = `/screens/${id}/events`
  const opened = await user.call('GET', url, { payloadAsStream: true })
  await t.db.updateTable('users').set({ is_active: false }).where('id', '=', user.userId).execute()
  expect(await text(opened.stream())).toMatch(/^event: screen\n.*QUEUED.*\n\n$/)
})

test('one pair has the same prediction in its screen, alone, in the list of known pairs, in the history and in a file', async () => {
  const user = await t.addUser({ credits: 2, targets: 1, compounds: 1 })
  t.work(async (grid) => {
    const rows = await predictTestGrid(grid)
    for (const row of rows) row[gridColumns.predicted] = 7.604_951
    return rows
  })
  const { id } = await user.started()
  await user.untilEnded(id)
  const json = async (url: string) => (await user.call('GET', url)).json()
  const pair = { protein_id: 'T1', compound_id: 'C1' }
  const alone = (await user.call('POST', '/dta/predict', { payload: pair })).json()
  const [row] = (await json(`/screens/${id}/results?page=1`)).rows
  const [known] = (await json('/dta/known?protein_id=T1')).known
  const [past] = (await json('/history')).predictions
  const [, line = ''] = (await user.call('GET', `/screens/${id}/results.csv`)).body.split('\n')
  const everywhere = [alone.predicted_kd, alone.result.predicted_kd, row.predicted_kd]
  everywhere.push(known.predicted_kd, past.predicted_kd, Number(line.split(',')[5]))
  expect(everywhere).toEqual(Array.from({ length: 6 }, () => 7.604_951))
})

test('a screen begins with the names of its files and targets', async () => {
  const user = await t.addUser({ credits: 10, targets: 3, compounds: 2 })
  const few = await user.started({ targets: ['T2', 'T1', 'T2'], compounds: 'all' })
  const stems = await t.db
    .selectFrom('files')
    .innerJoin('compounds', 'compounds.file_id', 'files.id')
    .select('filename')
    .where('compounds.user_id', '=', user.userId)
    .execute()
  const [stem = ''] = stems.map(({ filename }) => filename.replace(/\.[^.]*$/, ''))
  expect(few.name).toBe(`${stem} × T2, T1`)
  const many = await user.started({ targets: ['T1', 'T2', 'T3'], compounds: 'all' })
  expect(many.name).toBe(`${stem} × 3 targets`)
})

test('downloads are named after their screen, or its id if it has no name', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 1 })
  const { id } = await user.started()
  const nameOf = async (file: string) =>
    (await user.call('GET', `/screens/${id}/${file}`)).headers['content-disposition']
  const rename = (name: string) => user.call('PATCH', `/screens/${id}`, { payload: { name } })
  await rename("Ärzte's (JAK1/2) × 5 µM")
  const file = '%C3%84rzte%27s%20%28JAK1_2%29%20%C3%97%205%20%C2%B5M'
  expect(await nameOf('results.csv')).toBe(
    `attachment; filename="screen_${id}.csv"; filename*=UTF-8''${file}.csv`,
  )
  expect(await nameOf('poses.sdf')).toBe(
    `attachment; filename="poses_${id}.sdf"; filename*=UTF-8''${file}%20poses.sdf`,
  )
  await rename('')
  expect(await nameOf('results.csv')).toBe(`attachment; filename="screen_${id}.csv"`)
})

test('only its owner can rename a screen, give it a note, or remove its name', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 1 })
  const other = await t.addUser({ credits: 10, targets: 1, compounds: 1 })
  const { id } = await user.started()
  const change = (who: typeof user, payload: object) =>
    who.call('PATCH', `/screens/${id}`, { payload })
  expect((await change(user, { name: ' MET, first round ' })).json()).toMatchObject({
    name: 'MET, first round',
    note: '',
  })
  expect((await change(user, { note: ' pH 7 ' })).json()).toMatchObject({ note: 'pH 7' })
  expect((await change(other, { name: 'mine' })).statusCode).toBe(404)
  for (const refused of [{ name: 'a\u0000b' }, { note: 'x'.repeat(1001) }, {}]) {
    expect((await change(user, refused)).statusCode).toBe(400)
  }
  expect(await user.read(id)).toMatchObject({ name: 'MET, first round', note: 'pH 7' })
  await change(user, { name: ' ', note: '' })
  expect(await user.read(id)).toMatchObject({ name: null, note: '' })
})

test('series are the screens of three compounds or more', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  const compounds = (await user.started()).id
  await user.started({ targets: ['T1'], compounds: ['C1', 'C2'] })
  const listed = await user.call('GET', '/screens?kind=series')
  expect(listed.json<{ screens: Screen[] }>().screens.map(({ id }) => id)).toEqual([compounds])
  expect(listed.headers['x-total-count']).toBe('1')
})
