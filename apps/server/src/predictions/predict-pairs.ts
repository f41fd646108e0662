/** Predicts SMILES on a structure in one request: a one-target order whose molecules come with the request. */
import type { PairsAnswer, PairsQuote, PairsRequest, Screen, ScreenRow } from '@pkdex/contract'
import type { ParsingWorkers, ReadCompound } from '#server/files/parsing/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FinishedTasks } from './finished-tasks.ts'
import { findSame, type OrderDependencies, quotePlan, startPlanned } from './order.ts'
import { compoundKey, sequenceKey } from './pair-key.ts'
import { type InputRow, type Plan, type PlannedTarget, planTargets } from './plan.ts'
import { readPairs, toRow } from './results.ts'
import type { BestEstimates } from './best-estimates.ts'
import { allPlaces } from './screen-table.ts'
import { openTable } from './table-estimates.ts'

export type PairsDependencies = OrderDependencies & {
  parsingWorkers: Pick<ParsingWorkers, 'readTarget' | 'readMolecules'>
  finishedTasks: Pick<FinishedTasks, 'wait'>
  best: BestEstimates
}

type PairsOrder = {
  userId: string
  request: PairsRequest
  idempotencyKey: string | null
  /** Id of the HTTP request, for the log. */
  reqId: string
  /** Aborts when the client disconnects; paid pairs are predicted anyway. */
  gone: AbortSignal
}

const ANSWER_MS_MAX = 60_000
/** Polls as well, because a process that is cut off at the moment cannot announce a finished block. */
const LOOK_INTERVAL_MS = 250

export async function predictPairs(
  dependencies: PairsDependencies,
  order: PairsOrder,
): Promise<PairsAnswer> {
  const { userId, request, idempotencyKey, reqId } = order
  // A repeated request gets its answer even if its target was deleted since.
  const same = await findSame(dependencies, dependencies.db, order)
  const before = same === null ? null : await dependencies.store.read(userId, same)
  if (before !== null) {
    return toAnswer(dependencies, userId, await untilEnded(dependencies, order, before))
  }
  const plan = await planPairs(dependencies, order)
  if (plan.total === 0) return withoutNumbers(plan, dependencies.modelVersion)
  const makePlan = async () => plan
  const started = await startPlanned(dependencies, {
    userId,
    kind: 'call',
    request,
    idempotencyKey,
    reqId,
    makePlan,
    ...(request.screen !== undefined && { followUpOf: request.screen }),
  })
  const screen = await untilEnded(dependencies, order, started)
  return toAnswer(dependencies, userId, screen)
}

export async function quotePairs(
  dependencies: PairsDependencies,
  order: PlannedOrder,
): Promise<PairsQuote> {
  const plan = await planPairs(dependencies, order)
  const quote = await quotePlan(dependencies, order.userId, plan)
  const { total, known, to_predict, credits_needed, credits_left } = quote
  const unusable_count = plan.rows.length - total
  return { total, known, to_predict, credits_needed, credits_left, unusable_count }
}

type PlannedOrder = Pick<PairsOrder, 'userId' | 'request' | 'gone'>

async function planPairs(dependencies: PairsDependencies, order: PlannedOrder): Promise<Plan> {
  const { userId, request, gone } = order
  const target = await planTarget(dependencies, userId, request)
  const all = typeof request.smiles === 'string' ? [request.smiles] : request.smiles
  const lines = all.map((smiles, at) => ({ line: at + 1, smiles, name: smiles }))
  const read = await dependencies.parsingWorkers.readMolecules(userId, lines, gone)
  const standards = new Map(read.compounds.map((compound) => [compound.line, compound]))
  const reasons = new Map(read.rejected.map(({ line, reason }) => [line, reason]))
  const rows: InputRow[] = lines.map(({ line, smiles }) => {
    const standard = standards.get(line)?.report.standard_smiles ?? null
    const reason = standard === null ? (reasons.get(line) ?? 'It is not valid SMILES.') : null
    return { name: smiles, smiles, standard, reason }
  })
  const keys = lines.map(({ line }) => keyOf(standards.get(line)))
  const total = rows.filter(({ standard }) => standard !== null).length
  return { targets: [target], rows, keys, unusable: [], total }
}

function keyOf(compound: ReadCompound | undefined): string {
  if (compound === undefined) return ''
  return compoundKey(compound.flat ?? compound.report.standard_smiles).toString('latin1')
}

function planTarget(
  dependencies: PairsDependencies,
  userId: string,
  { target, structure, chain }: PairsRequest,
): Promise<PlannedTarget> {
  if (structure !== undefined) return readSent(dependencies, userId, { structure, chain })
  return findNamed(dependencies, userId, { name: target ?? '', ...(chain && { chain }) })
}

async function findNamed(
  { db }: PairsDependencies,
  userId: string,
  named: { name: string; chain?: string },
): Promise<PlannedTarget> {
  const { targets, unusable } = await planTargets(db, userId, [named])
  const [target] = targets
  if (target !== undefined) return target
  throw new AppError('not_found', unusable[0]?.reason ?? 'Target not found.')
}

async function readSent(
  { parsingWorkers }: PairsDependencies,
  userId: string,
  { structure, chain: wanted }: { structure: string; chain: string | undefined },
): Promise<PlannedTarget> {
  const read = await parsingWorkers.readTarget(userId, Buffer.from(structure))
  if (!read.ok) throw new AppError('invalid_request', read.reason)
  const { chains, report } = read.value
  const chain = wanted ?? read.value.chain
  const segments = chains.find(({ id }) => id === chain)?.segments ?? []
  if (segments.length === 0) {
    throw new AppError('invalid_request', `The structure has no protein chain ${chain}.`)
  }
  return { name: report.pdb_code ?? 'structure', chain, segments, key: sequenceKey(segments) }
}

async function untilEnded(
  { store, finishedTasks }: PairsDependencies,
  { userId, gone }: PairsOrder,
  started: Screen,
): Promise<Screen> {
  const endsAt = performance.now() + ANSWER_MS_MAX
  let screen = started
  for (;;) {
    // Listens before it reads, so that it cannot miss an end in between.
    const moved = finishedTasks.wait(screen.id, LOOK_INTERVAL_MS)
    screen = (await store.read(userId, screen.id)) ?? screen
    if (!isWaiting(screen) || performance.now() > endsAt || gone.aborted) return screen
    await moved
  }
}

function isWaiting({ status }: Screen): boolean {
  return status === 'QUEUED' || status === 'RUNNING'
}

async function toAnswer(
  dependencies: Pick<PairsDependencies, 'db' | 'best'>,
  userId: string,
  screen: Screen,
): Promise<PairsAnswer> {
  const [target] = screen.targets
  if (target === undefined) throw new Error('a screen without a target')
  const table = await openTable(dependencies, userId, screen)
  const pairs = await readPairs(dependencies.db, table, allPlaces(table))
  return {
    id: screen.id,
    status: screen.status,
    target,
    model_version: screen.model_version,
    credits_charged: screen.credits_charged,
    predictions: pairs.map((pair) => toPrediction(toRow(table, pair))),
  }
}

function toPrediction(row: ScreenRow): PairsAnswer['predictions'][number] {
  const { smiles, predicted_kd, lower, upper, reason } = row
  const { best_kd, best_lower, best_upper } = row
  const isPredicted = predicted_kd !== null && lower !== null && upper !== null
  if (!isPredicted || best_kd === null || best_lower === null || best_upper === null) {
    return { ...noNumber, smiles, reason }
  }
  return {
    smiles,
    predicted_kd,
    best_kd,
    unit: 'pKd',
    interval: { lower, upper },
    best_interval: { lower: best_lower, upper: best_upper },
    domain: {
      is_inside: row.in_domain === true,
      state: row.domain_state,
      is_ligand_driven: row.is_ligand_driven === true,
      compound_similarity: row.compound_similarity ?? 0,
      target_similarity: row.target_similarity ?? 0,
    },
    reason: null,
  }
}

const noNumber = {
  predicted_kd: null,
  best_kd: null,
  unit: 'pKd',
  interval: null,
  best_interval: null,
  domain: null,
} as const

function withoutNumbers({ targets, rows }: Plan, modelVersion: string): PairsAnswer {
  const [target] = targets
  if (target === undefined) throw new Error('a plan without a target')
  return {
    id: null,
    status: 'DONE',
    target: { name: target.name, chain: target.chain },
    model_version: modelVersion,
    credits_charged: 0,
    predictions: rows.map(({ smiles, reason }) => ({ ...noNumber, smiles, reason })),
  }
}
