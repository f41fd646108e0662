/** Predicts SMILES on a structure in one call: a screen of one target whose molecules come with the call. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PairsAnswer, PairsRequest, Screen, ScreenRow } from '@pkdex/contract'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { type InputRow, KEY_BYTES, type Plan, type PlannedTarget } from './plan.ts'
import { planTargets, targetKey } from './plan.ts'
import { readTable, toRow } from './results.ts'
import { type ScreenDependencies, startPlanned } from './start.ts'

export type PairsDependencies = ScreenDependencies & {
  parsingWorkers: Pick<ParsingWorkers, 'readTarget' | 'readMolecules'>
}

type PairsOrder = {
  userId: string
  request: PairsRequest
  idempotencyKey: string | null
  /** Of the call that asks, as the log names it. */
  reqId: string
  /** Aborted where nobody waits any more; what is paid is predicted all the same. */
  gone: AbortSignal
}

const ANSWER_MS_MAX = 60_000
const LOOK_INTERVAL_MS = { first: 20, longest: 250 }

export async function predictPairs(
  dependencies: PairsDependencies,
  order: PairsOrder,
): Promise<PairsAnswer> {
  const { userId, request, idempotencyKey, reqId } = order
  const plan = await planPairs(dependencies, order)
  if (plan.total === 0) return withoutNumbers(plan, dependencies.modelVersion)
  const makePlan = async () => plan
  const started = await startPlanned(dependencies, {
    userId,
    request,
    idempotencyKey,
    reqId,
    makePlan,
  })
  const screen = await untilEnded(dependencies, order, started)
  return toAnswer(dependencies.db, screen)
}

async function planPairs(dependencies: PairsDependencies, order: PairsOrder): Promise<Plan> {
  const { userId, request, gone } = order
  const target = await planTarget(dependencies, userId, request)
  const all = typeof request.smiles === 'string' ? [request.smiles] : request.smiles
  const lines = all.map((smiles, at) => ({ line: at + 1, smiles, name: smiles }))
  const read = await dependencies.parsingWorkers.readMolecules(userId, lines, gone)
  const standards = new Map(read.compounds.map(({ line, report }) => [line, report]))
  const reasons = new Map(read.rejected.map(({ line, reason }) => [line, reason]))
  const rows: InputRow[] = lines.map(({ line, smiles }) => {
    const standard = standards.get(line)?.standard_smiles ?? null
    const reason = standard === null ? (reasons.get(line) ?? 'It cannot be read.') : null
    return { name: smiles, smiles, standard, reason }
  })
  const total = rows.filter(({ standard }) => standard !== null).length
  return { targets: [target], rows, keys: rows.map(keyOf), unusable: [], total }
}

function keyOf({ standard }: InputRow): string {
  if (standard === null) return ''
  return createHash('sha256').update(standard).digest().toString('latin1', 0, KEY_BYTES)
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
  asked: { name: string; chain?: string },
): Promise<PlannedTarget> {
  const { targets, unusable } = await planTargets(db, userId, [asked])
  const [target] = targets
  if (target !== undefined) return target
  throw new AppError('not_found', unusable[0]?.reason ?? 'You have no such target.')
}

async function readSent(
  { parsingWorkers }: PairsDependencies,
  userId: string,
  { structure, chain: asked }: { structure: string; chain: string | undefined },
): Promise<PlannedTarget> {
  const read = await parsingWorkers.readTarget(userId, Buffer.from(structure))
  if (!read.ok) throw new AppError('invalid_request', read.reason)
  const { chains, report } = read.value
  const chain = asked ?? read.value.chain
  const segments = chains.find(({ id }) => id === chain)?.segments ?? []
  if (segments.length === 0) {
    throw new AppError('invalid_request', `The structure has no protein chain ${chain}.`)
  }
  return { name: report.pdb_code ?? 'structure', chain, segments, key: targetKey(segments) }
}

async function untilEnded(
  { store }: PairsDependencies,
  { userId, gone }: PairsOrder,
  started: Screen,
): Promise<Screen> {
  const endsAt = performance.now() + ANSWER_MS_MAX
  let screen = started
  let pause = LOOK_INTERVAL_MS.first
  while (isWaiting(screen) && performance.now() < endsAt && !gone.aborted) {
    await sleep(pause)
    pause = Math.min(pause * 1.5, LOOK_INTERVAL_MS.longest)
    screen = (await store.read(userId, screen.id)) ?? screen
  }
  return screen
}

function isWaiting({ status }: Screen): boolean {
  return status === 'QUEUED' || status === 'RUNNING'
}

async function toAnswer(db: Database, screen: Screen): Promise<PairsAnswer> {
  const [target] = screen.targets
  if (target === undefined) throw new Error('a screen without a target')
  const table = await readTable(db, screen.id, [target])
  return {
    id: screen.id,
    status: screen.status,
    target,
    model_version: screen.model_version,
    credits_charged: screen.credits_charged,
    predictions: table.rows.map((_, place) => toPrediction(toRow(table, place))),
  }
}

function toPrediction(row: ScreenRow): PairsAnswer['predictions'][number] {
  const { smiles, predicted_kd, lower, upper, reason } = row
  if (predicted_kd === null || lower === null || upper === null) {
    return { ...noNumber, smiles, reason }
  }
  return {
    smiles,
    predicted_kd,
    unit: 'pKd',
    interval: { lower, upper },
    domain: {
      is_inside: row.in_domain === true,
      is_ligand_driven: row.is_ligand_driven === true,
      compound_similarity: row.compound_similarity ?? 0,
      target_similarity: row.target_similarity ?? 0,
    },
    reason: null,
  }
}

const noNumber = { predicted_kd: null, unit: 'pKd', interval: null, domain: null } as const

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
