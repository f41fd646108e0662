/**
 * A pair is charged once, whatever requests it at the same time: single predictions, screens, `POST /predict`, repeats
 * under one Idempotency-Key, cancellations, deletions, crashes and pairs that fail. Stereoisomers are the same pair.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { makeRandom } from '#test/made-input.ts'
import { openTestParsing } from '#test/open-test-files.ts'
import { MODEL_VERSION, predictTestGrid, resultOf } from '#test/open-test-grid.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { type TestScreenUser } from '#test/open-test-user.ts'
import { compoundKey } from './pair-key.ts'
import { numberOf } from './pair-number.ts'
import type { BlockAttempt } from './queue.ts'

const ROUNDS = Number(process.env.PKDEX_CHARGE_ROUNDS ?? 10)
const CALLERS = 8
const TARGETS = 2
const COMPOUNDS = 4

const INTERLEAVINGS = Number(process.env.PKDEX_INTERLEAVINGS ?? 40)

const parsingWorkers = openTestParsing()
const t = await openTestPredictions({ parsingWorkers })
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

type Round = { user: TestScreenUser; random: () => number; screens: string[]; mayCancel: boolean }

function some<T>({ random }: Pick<Round, 'random'>, all: T[]): [T, ...T[]] {
  const [first, ...rest] = all.filter(() => random() < 0.6)
  const chosen = all[Math.floor(random() * all.length)]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return first === undefined ? [chosen] : [first, ...rest]
}

const isomers: Record<string, string> = { C3: 'C[C@H](N)CC', C4: 'C[C@@H](N)CC' }
const FLAT_ISOMER = 'CCC(C)N'
const smilesOf = (compound: string) => isomers[compound] ?? 'C'.repeat(Number(compound.slice(1)))

async function addIsomers({ userId }: TestScreenUser): Promise<void> {
  for (const [name, smiles] of Object.entries(isomers)) {
    const line = { line: 1, smiles, name }
    const { compounds } = await parsingWorkers.readMolecules(userId, [line])
    const standard = compounds[0]?.report.standard_smiles ?? ''
    expect(compounds[0]?.flat).toBe(FLAT_ISOMER)
    await t.db
      .updateTable('compounds')
      .set({ smiles, standard_smiles: standard, flat_key: compoundKey(FLAT_ISOMER) })
      .set({ content_hash: createHash('sha256').update(standard).digest() })
      .where('user_id', '=', userId)
      .where('name', '=', name)
      .execute()
  }
}

/** As the model, this ignores stereochemistry. */
const predictFlat: typeof predictTestGrid = (grid) =>
  predictTestGrid({ ...grid, smiles: grid.smiles.map((one) => one.replaceAll('@', '')) })

async function act(round: Round): Promise<number> {
  const { user, random } = round
  const [target] = some(round, user.targets)
  const [compound] = some(round, user.compounds)
  const dice = random()
  if (dice < 0.35) {
    const payload = { protein_id: target, compound_id: compound }
    return (await user.call('POST', '/dta/predict', { payload })).statusCode
  }
  if (dice < 0.55) {
    const payload = { target, smiles: some(round, user.compounds).map(smilesOf) }
    const headers = { ...user.headers, 'idempotency-key': `call ${random()}` }
    const call = () => user.call('POST', '/predict', { payload, headers })
    const [first, second] = await Promise.all([call(), call()])
    expect(second.json()).toMatchObject({ id: first.json<{ id: string }>().id })
    return first.statusCode
  }
  if (dice < 0.7 && round.mayCancel) {
    const [id] = round.screens
    if (id !== undefined) await user.call('DELETE', `/screens/${id}`)
    return 200
  }
  // Some compounds are listed twice, and the same order is sent again under its key.
  const compounds = [...some(round, user.compounds), ...some(round, user.compounds)]
  const order = { targets: some(round, user.targets), compounds }
  const key = `key ${random()}`
  const answers = await Promise.all([user.start(order, key), user.start(order, key)])
  round.screens.unshift(answers[0].json<{ id: string }>().id)
  return answers[0].statusCode
}

async function untilQuiet(user: TestScreenUser): Promise<void> {
  for (;;) {
    const open = await t.db
      .selectFrom('orders')
      .select('id')
      .where('user_id', '=', user.userId)
      .where('status', 'in', ['QUEUED', 'RUNNING'])
      .executeTakeFirst()
    if (open === undefined) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The different pairs that have a prediction, and whether each has only one. */
async function readNumbers(user: TestScreenUser): Promise<Map<string, Set<string>>> {
  const pairs = await t.db
    .selectFrom('pairs')
    .innerJoin('orders', 'orders.number', 'pairs.order_number')
    .select(['sequence_id', 'compound_key', 'predicted', 'lower', 'upper'])
    .where('user_id', '=', user.userId)
    .execute()
  const numbers = new Map<string, Set<string>>()
  for (const { sequence_id, compound_key, predicted, lower, upper } of pairs) {
    const pair = `${sequence_id} ${compound_key.toString('hex')}`
    const found = numbers.get(pair) ?? new Set()
    numbers.set(pair, found.add(`${predicted} ${lower} ${upper}`))
  }
  return numbers
}

async function findWrongCharges(user: TestScreenUser) {
  const numbers = await readNumbers(user)
  const ledger = (await user.ledger()).filter(({ reason }) => reason !== 'first sign-in')
  const taken = -ledger.reduce((sum, { delta }) => sum + delta, 0)
  const { cost } = await t.db
    .selectFrom('orders')
    .select(({ fn }) => fn.sum<number>('credits_charged').as('cost'))
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow()
  const twice = [...numbers.values()].filter((found) => found.size > 1).length
  const spent = 100 - (await user.balance())
  const isRight = [taken, cost, spent].every((one) => one === numbers.size) && twice === 0
  return isRight ? null : { numbers: numbers.size, taken, cost, spent, twice }
}

type PairsOfOrder = { charged: number; pairs: Set<string> }

/** Sorted by creation. Nothing updates their targets, so each still has the transaction that created it. */
async function readOrders(user: TestScreenUser): Promise<PairsOfOrder[]> {
  const { rows } = await sql<{ id: string; charged: string; pair: string }>`
    select orders.id, credits_charged as charged, concat(order_targets.key, flat_key) as pair
    from order_targets join orders on orders.id = order_id
    join order_rows on order_number = orders.number and compound_key is not null
    where orders.user_id = ${user.userId}
    order by order_targets.xmin::text::bigint`.execute(t.db)
  const orders = new Map<string, PairsOfOrder>()
  for (const { id, charged, pair } of rows) {
    const order = orders.get(id) ?? { charged: Number(charged), pairs: new Set() }
    orders.set(id, order)
    order.pairs.add(pair)
  }
  return [...orders.values()]
}

/** Orders whose charge is not exactly the pairs that no earlier order contains. */
async function findWrongOrders(user: TestScreenUser) {
  const seen = new Set<string>()
  return (await readOrders(user)).flatMap(({ charged, pairs }, at) => {
    const fresh = [...pairs].filter((pair) => !seen.has(pair))
    for (const pair of fresh) seen.add(pair)
    return charged === fresh.length ? [] : [{ at, charged, fresh }]
  })
}

async function play(seed: number, mayCancel: boolean): Promise<TestScreenUser> {
  const user = await t.addUser({ credits: 100, targets: TARGETS, compounds: COMPOUNDS })
  await addIsomers(user)
  const random = makeRandom(seed)
  const round: Round = { user, random, screens: [], mayCancel }
  const callers = Array.from({ length: CALLERS }, async () => {
    for (let calls = 0; calls < 2; calls += 1) {
      if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, random() * 20))
      expect(await act(round)).toBe(200)
    }
  })
  await Promise.all(callers)
  await untilQuiet(user)
  return user
}

test(`SPEC 15.12: 8 callers over the same pairs, ${ROUNDS} interleavings: every pair is charged once`, async () => {
  t.work(predictFlat)
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    const user = await play(seed, false)
    expect([seed, await findWrongCharges(user)]).toEqual([seed, null])
    expect([seed, await findWrongOrders(user)]).toEqual([seed, []])
  }
  console.log(`measured: ${CALLERS} callers, ${ROUNDS} interleavings: every pair charged once`)
})

test(`the same with cancellations and failing pairs, ${ROUNDS} interleavings: pairs with a prediction are charged once, the others not at all`, async () => {
  let calls = 0
  let mayFail = false
  t.work(async (grid) => {
    calls += 1
    await new Promise((resolve) => setTimeout(resolve, calls % 7))
    const rows = await predictFlat(grid)
    return rows.map((row, at) => (mayFail && grid.smiles[at] === 'CC' ? null : row))
  })
  for (let seed = 1; seed <= ROUNDS; seed += 1) {
    // A failed pair is retried a second later.
    mayFail = seed % 5 === 0
    expect([seed, await findWrongCharges(await play(seed, true))]).toEqual([seed, null])
  }
})

/** Screens of two blocks each, of which most compounds are in both. */
const screens = [0, 40].map((from) => Array.from({ length: 260 }, (_, at) => `C${1 + from + at}`))

type Steps = {
  user: TestScreenUser
  random: () => number
  open: string[]
  /** Blocks of a worker that has died since. */
  lost: BlockAttempt[]
  /** Charged for screens that were deleted. */
  deletedCost: number
}

async function predictBlock({ random }: Pick<Steps, 'random'>, attempt: BlockAttempt) {
  const block = (await t.store.readWork([attempt.id])).get(attempt.id)
  const missing = (block?.rows ?? []).filter(({ known }) => !known.has(0))
  const predicted = missing.filter(() => random() < 0.95)
  await t.store.finishBlock(attempt, {
    pairs: predicted.map(({ row, smiles }) => {
      return { row, place: 0, ...numberOf(resultOf(4 + (Math.ceil(smiles.length / 2) % 50) / 10)) }
    }),
    failed: missing.length - predicted.length,
    modelVersion: MODEL_VERSION,
  })
}

const steps: ((now: Steps) => Promise<unknown>)[] = [
  async (now) => {
    const compounds = screens[Math.floor(now.random() * 2)]
    const { id } = await now.user.started({ targets: ['T1'], compounds })
    now.open.push(id)
  },
  predictNext,
  predictNext,
  // A worker takes a block and hangs, or has died by the next start.
  async (now) => {
    const attempt = await t.fetchBlock()
    if (attempt !== undefined) now.lost.push(attempt)
  },
  restart,
  async (now) => {
    const attempt = now.lost.pop()
    if (attempt !== undefined) await predictBlock(now, attempt)
  },
  async ({ user, open, random }) => {
    const id = open[Math.floor(random() * open.length)]
    if (id !== undefined) await user.call('DELETE', `/screens/${id}`)
  },
  deleteScreen,
]

/** The jobs of the worker that has died are queued again, without their delay. */
async function restart(): Promise<void> {
  await t.openTestQueue()
  await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(t.db)
}

async function predictNext(now: Steps): Promise<boolean> {
  const attempt = await t.fetchBlock()
  if (attempt !== undefined) await predictBlock(now, attempt)
  return attempt !== undefined
}

async function deleteScreen(now: Steps): Promise<void> {
  const { user, open, random } = now
  const at = Math.floor(random() * open.length)
  const id = open[at]
  if (id === undefined) return
  await user.call('DELETE', `/screens/${id}`)
  const { credits_charged: cost } = await user.read(id)
  const { statusCode } = await user.call('DELETE', `/screens/${id}?forever=true`)
  // 409: an order in progress may have copies of its pairs.
  expect([200, 409]).toContain(statusCode)
  if (statusCode === 409) return
  now.deletedCost += cost
  open.splice(at, 1)
}

async function readPairs({ userId }: TestScreenUser) {
  const { rows } = await sql<{ pair: string; payers: number; numbers: number }>`
    select concat(sequence_id, compound_key) as pair, count(*) filter (where is_payer)::int as payers,
      count(distinct predicted)::int as numbers
    from pairs join sequences on sequences.id = sequence_id where user_id = ${userId}
    group by sequence_id, compound_key`.execute(t.db)
  return rows
}

test(
  `start, predict, crash, cancel and delete two overlapping screens in ${INTERLEAVINGS} random orders: ledger, orders and pairs agree`,
  { timeout: 400_000 },
  async () => {
    const credits = 10_000_000
    const user = await t.addUser({ credits, targets: 1, compounds: 300 })
    // Every second compound is a stereoisomer of the one before.
    for (let length = 1; length <= 300; length += 2) {
      const [first, second] = [length, length + 1].map((count) => 'C'.repeat(count))
      await t.db
        .updateTable('compounds')
        .set({ flat_key: compoundKey(first ?? '') })
        .where('user_id', '=', user.userId)
        .where('standard_smiles', '=', second ?? '')
        .execute()
    }
    let [charged, deletedCost] = [0, 0]
    for (let seed = 1; seed <= INTERLEAVINGS; seed += 1) {
      const now: Steps = { user, random: makeRandom(seed), open: [], lost: [], deletedCost }
      let before = new Set<string>()
      const count = async () => {
        const pairs = new Set((await readPairs(user)).map(({ pair }) => pair))
        charged += [...pairs].filter((pair) => !before.has(pair)).length
        before = pairs
      }
      for (let step = 0; step < 10; step += 1) {
        // The first step starts a screen.
        await steps[step === 0 ? 0 : Math.floor(now.random() * steps.length)]?.(now)
        await count()
      }
      await restart()
      while (await predictNext(now)) await count()
      await untilQuiet(user)
      const orders = await t.db
        .selectFrom('orders')
        .select('credits_charged')
        .where('user_id', '=', user.userId)
        .execute()
      const cost = orders.reduce((sum, order) => sum + order.credits_charged, now.deletedCost)
      const ledger = await user.ledger()
      const taken = ledger.reduce((sum, { delta }) => sum + delta, 0)
      const spent = credits - (await user.balance())
      expect([seed, cost, credits - taken, spent]).toEqual([seed, charged, charged, charged])
      const wrong = (await readPairs(user)).filter(
        ({ payers, numbers }) => payers !== 1 || numbers !== 1,
      )
      expect([seed, wrong]).toEqual([seed, []])
      while (now.open.length > 0) await deleteScreen(now)
      expect([seed, await readPairs(user)]).toEqual([seed, []])
      deletedCost = now.deletedCost
    }
  },
)
