/**
 * The best estimate of a pair, the one number that every page, file and sort order uses: the prediction from sequence and
 * compound, moved by the pose in the user's structure, then by the user's measured values. Computed when it is read,
 * because poses and values change (decision 041).
 */
import type { BestEstimate, PredictionResult } from '@pkdex/contract'
import { findTargets } from '#server/files/service.ts'
import {
  namesWithValues,
  type OwnValues,
  type ValuesOnTarget,
} from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { roundPk } from './pair-number.ts'
import { compoundKey, sequenceKey } from './pair-key.ts'
import { isBeingPlaced, openPoseShifts, type ReadShifts } from './pose-shifts.ts'

/** A pKd with its 95% interval. */
export type Span = { predicted: number; lower: number; upper: number }

/** `pose`: the number after that stage, null without a pose. `ownValues`: the number of values that moved it, or 0. */
export type Best = Span & { pose: Span | null; ownValues: number }

/** A target as it was predicted. */
type PredictedTarget = { name: string; chain: string; key: Buffer }

/** What the estimate of a pair is made from: its standard SMILES and its prediction. */
export type PlainPair = { standard: string; number: Span; modelVersion: string }

/** `read` returns one estimate per pair, in order. */
export type ColumnEstimates = {
  hasPoses: boolean
  read(pairs: PlainPair[]): Promise<Best[]>
}

type OfColumns = { userId: string; targets: PredictedTarget[]; modelVersions: string[] }
type OfPair = { userId: string; target: PredictedTarget; smiles: string }

export type BestEstimates = {
  /** One per target; null where every estimate is the prediction. */
  open(of: OfColumns): Promise<(ColumnEstimates | null)[]>
  /** Adds the estimate and the user's measured values of the pair to its result. */
  complete(of: OfPair, result: PredictionResult): Promise<PredictionResult>
}

type Dependencies = {
  db: Database
  ownValues: OwnValues
  /** Whether poses were shown to improve predictions of the model. */
  usesPoses: boolean
}

type Column = { poses: ReadShifts | null; own: ValuesOnTarget }

const noValues: ValuesOnTarget = { fit: null, countUnpaid: () => 0, listExact: () => [] }

export function openBestEstimates({ db, ownValues, usesPoses }: Dependencies): BestEstimates {
  /** By model version: values only move predictions of the model that they were compared with. */
  async function openVersion(
    { userId, targets }: OfColumns,
    modelVersion: string,
  ): Promise<Column[]> {
    const found = await findMeasuredTargets(db, userId, targets)
    const keys = targets.map(({ key }) => key)
    const shifts = usesPoses ? await openPoseShifts(db, { userId, keys, modelVersion }) : null
    return Promise.all(
      targets.map(async ({ chain, key }, at) => {
        const poses = shifts?.(key) ?? null
        const targetId = found[at]
        if (targetId == null) return { poses, own: noValues }
        const of = { userId, targetId, chain, modelVersion }
        return { poses, own: await ownValues.read(of, poses ?? undefined) }
      }),
    )
  }

  async function open(of: OfColumns): Promise<(ColumnEstimates | null)[]> {
    const versions = new Map<string, Column[]>()
    for (const version of new Set(of.modelVersions)) {
      versions.set(version, await openVersion(of, version))
    }
    return of.targets.map((_, at) => {
      const columns = new Map([...versions].map(([version, all]) => [version, all[at]]))
      const moving = [...columns.values()].filter((one) => one?.poses || one?.own.fit?.update)
      if (moving.length === 0) return null
      return {
        hasPoses: moving.some((one) => one?.poses != null),
        async read(pairs) {
          const best = new Map<PlainPair, Best>()
          for (const [version, some] of Map.groupBy(pairs, (pair) => pair.modelVersion)) {
            const moved = await estimate(ownValues, of.userId, {
              column: columns.get(version),
              some,
            })
            for (const [place, pair] of some.entries()) {
              best.set(pair, moved[place] ?? plainOf(pair))
            }
          }
          return pairs.map((pair) => best.get(pair) ?? plainOf(pair))
        },
      }
    })
  }

  return {
    open,
    async complete({ userId, target, smiles }, result) {
      const modelVersion = result.model_version
      const [column] = await openVersion(
        { userId, targets: [target], modelVersions: [] },
        modelVersion,
      ).catch(noneWhenBusy)
      const pair = { standard: smiles, number: spanOf(result), modelVersion }
      const [best = plainOf(pair)] = await estimate(ownValues, userId, {
        column,
        some: [pair],
      }).catch(noneWhenBusy)
      return {
        ...result,
        best_estimate: toEstimate(best, result.interval.level),
        ...(await readPlacing(db, { userId, column, best, target, smiles })),
        ...(column !== undefined && measuredOf(column.own, smiles, result)),
      }
    },
  }
}

/** Whether the pose may still move the number. */
async function readPlacing(
  db: Database,
  { column, best, userId, target, smiles }: OfPair & { column: Column | undefined; best: Best },
): Promise<Pick<PredictionResult, 'is_being_placed'>> {
  if (!column?.poses || best.pose !== null) return {}
  const pair = { userId, sequence: target.key, compound: compoundKey(smiles) }
  return (await isBeingPlaced(db, pair)) ? { is_being_placed: true } : {}
}

/** The user's values of the pair, and those on its target that do not move its number. */
function measuredOf(
  own: ValuesOnTarget,
  smiles: string,
  { exact_measurements: known = [] }: PredictionResult,
): Partial<PredictionResult> {
  const { fit } = own
  const exact = own.listExact(smiles)
  const unpredicted = own.countUnpaid()
  return {
    ...(exact.length > 0 && { exact_measurements: [...exact, ...known] }),
    ...(fit !== null &&
      fit.update === null && { own_values_unused: { count: fit.count, verdict: fit.verdict } }),
    ...(unpredicted > 0 && { own_values_unpredicted: unpredicted }),
  }
}

/** The ids of the targets that still have this name and these residues, if the user measured something on them. */
async function findMeasuredTargets(db: Database, userId: string, targets: PredictedTarget[]) {
  const all = targets.map(({ name }) => name)
  const valued = new Set(await namesWithValues(db, userId, all))
  const found = new Map((await findTargets(db, userId, all)).map((one) => [one.name, one]))
  return targets.map(({ name, chain, key }) => {
    const target = found.get(name)
    const isSame = target && sequenceKey(target.segments[chain] ?? []).equals(key)
    return isSame && valued.has(name) ? target.id : null
  })
}

type Wanted = { column: Column | undefined; some: PlainPair[] }

/** Own values start from the number that the pose has moved (decision 109). */
async function estimate(
  ownValues: OwnValues,
  userId: string,
  { column, some }: Wanted,
): Promise<Best[]> {
  const standards = some.map(({ standard }) => standard)
  const shifts = (await column?.poses?.(standards)) ?? null
  const placed = some.map((pair) => withPose(pair, shifts?.get(pair.standard) ?? null))
  const fit = column?.own.fit ?? null
  if (fit === null || fit.update === null) return placed
  const compounds = await ownValues.readCompounds(userId, standards)
  const estimates = placed.flatMap((best, at) => {
    const compound = compounds[at] ?? null
    if (compound === null) return []
    const { predicted, pose } = best
    const halfWidth = (best.upper - best.lower) / 2
    return [{ at, predicted, halfWidth, isAdjusted: pose !== null, ...compound }]
  })
  const updated = fit.update(estimates)
  for (const [place, { at }] of estimates.entries()) {
    const [own, start] = [updated[place], placed[at]]
    if (own === undefined || start === undefined) continue
    const { predicted, halfWidth } = own
    const [lower, upper] = [roundPk(predicted - halfWidth), roundPk(predicted + halfWidth)]
    placed[at] = { ...start, predicted: roundPk(predicted), lower, upper, ownValues: fit.count }
  }
  return placed
}

/** The interval is shifted with the prediction: it contains as many measured values as the plain one. */
function withPose(pair: PlainPair, shift: number | null): Best {
  const plain = plainOf(pair)
  if (shift === null) return plain
  const [predicted, lower, upper] = [plain.predicted, plain.lower, plain.upper].map((one) =>
    roundPk(one + shift),
  ) as [number, number, number]
  return { predicted, lower, upper, pose: { predicted, lower, upper }, ownValues: 0 }
}

export function plainOf({ number: { predicted, lower, upper } }: Pick<PlainPair, 'number'>): Best {
  return { ...roundSpan({ predicted, lower, upper }), pose: null, ownValues: 0 }
}

function spanOf({ predicted_kd: predicted, interval: { lower, upper } }: PredictionResult): Span {
  return { predicted, lower, upper }
}

function toEstimate({ pose, ownValues, ...best }: Best, level: number): BestEstimate {
  const stageOf = ({ predicted, lower, upper }: Span) => {
    return { predicted_kd: predicted, interval: { lower, upper, level } }
  }
  return { ...stageOf(best), ...(pose && { pose: stageOf(pose) }), own_values: ownValues }
}

function roundSpan({ predicted, lower, upper }: Span): Span {
  return { predicted: roundPk(predicted), lower: roundPk(lower), upper: roundPk(upper) }
}

/** A prediction was paid for, so it is shown unmoved if too many of the user's files are in progress. */
function noneWhenBusy(error: unknown): [] {
  if (error instanceof AppError && error.code === 'too_many_requests') return []
  throw error
}
