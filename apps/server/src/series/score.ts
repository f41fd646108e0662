/** Another tool's scores for a target: the selected column, whether it is useful, and predictions that include it. */
import {
  NEXT_CANDIDATES_MAX,
  SCORE_VALUES_MIN,
  type judgeScore as judgeScoreCall,
  type ScoreChoice,
  type ScoreJudgement,
  type SeriesScore,
} from '@pkdex/contract'
import type { z } from 'zod'
import { findTargets, openOwnTable } from '#server/files/service.ts'
import type { Estimate, OtherScore, Scored } from '#server/inference/service.ts'
import {
  type FittedValues,
  kendallTau,
  type OwnCompound,
  type OwnValues,
  type ValuesOnTarget,
  wordTau,
} from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import {
  type PredictionDependencies,
  readScreenEstimates,
  type ScreenEstimate,
  type TableReaders,
} from '#server/predictions/service.ts'
import { round } from '#server/platform/round.ts'

export type NextDependencies = Pick<PredictionDependencies, 'db' | 'store' | 'modelVersion'> & {
  ownValues: OwnValues
  usesPoses: boolean
  tableReaders: Pick<TableReaders, 'page'>
}

type Fit = ValuesOnTarget['fit']

/** Values that are not used move nothing. */
export function usedOf(fitted: Fit): FittedValues | null {
  return fitted?.update ? fitted : null
}

type OfTarget = { userId: string; targetId: string }

export async function chooseScore(
  db: Database,
  { userId, target, choice }: { userId: string; target: string; choice: ScoreChoice | null },
): Promise<{ choice: ScoreChoice | null }> {
  const [found] = await findTargets(db, userId, [target.normalize('NFC')])
  if (found === undefined) throw new AppError('not_found', `There is no target ${target}.`)
  const own = db.updateTable('targets').where('user_id', '=', userId).where('id', '=', found.id)
  await own
    .set({ score_column: choice?.column ?? null, score_direction: choice?.direction ?? null })
    .execute()
  return { choice }
}

async function readChoice(
  db: Database,
  { userId, targetId }: OfTarget,
): Promise<ScoreChoice | null> {
  const found = await db
    .selectFrom('targets')
    .select(['score_column as column', 'score_direction as direction'])
    .where('user_id', '=', userId)
    .where('id', '=', targetId)
    .executeTakeFirst()
  const { column = null, direction = null } = found ?? {}
  return column === null || direction === null ? null : { column, direction }
}

/** Numbers in the column, keyed by standard SMILES. */
type Scores = ReadonlyMap<string, number>

async function readScores(
  db: Database,
  { userId, column }: { userId: string; column: string },
  estimates: ScreenEstimate[],
): Promise<Scores> {
  const cells = await readCells(db, userId, estimates)
  return new Map(
    estimates.flatMap(({ name, standard }) => {
      const row = cells.get(name)
      // A column may be named like a property of every object: `toString`.
      const score = toNumber(row && Object.hasOwn(row, column) ? row[column] : undefined)
      return score === null ? [] : [[standard, score] as const]
    }),
  )
}

async function readCells(db: Database, userId: string, estimates: ScreenEstimate[]) {
  const named = estimates.filter(({ name }) => name !== '')
  const own = await openOwnTable(db, { userId, names: named.map(({ name }) => name) })
  return own.read(named)
}

/** `-9.4`, `−9.4` or `-9,4`; null for anything else. */
export function toNumber(cell: string | undefined): number | null {
  const text =
    cell
      ?.trim()
      .replace('−', '-')
      .replace(/^([^.,]*),([^.,]*)$/, '$1.$2') ?? ''
  const number = Number(text)
  return text === '' || !Number.isFinite(number) ? null : number
}

type Judged = {
  choice: ScoreChoice
  scores: Scores
  fitted: Fit
  /** Compounds in the form that the kernel compares. */
  compounds: Compound[]
  measured: Pick<OwnCompound, 'smiles' | 'pk' | 'bound'>[]
}
type Compound = ScreenEstimate & Estimate

export type ScoredUpdate = { judgement: ScoreJudgement; other: OtherScore | null; scores: Scores }

type Known = Pick<Judged, 'fitted' | 'measured'> & {
  estimates: ScreenEstimate[]
  readCompounds: () => Promise<Compound[]>
}

/** Null if no column is selected for the target. */
export async function judgeChosen(
  db: Database,
  of: OfTarget,
  { estimates, readCompounds, ...known }: Known,
): Promise<ScoredUpdate | null> {
  const choice = await readChoice(db, of)
  if (choice === null) return null
  const scores = await readScores(db, { userId: of.userId, column: choice.column }, estimates)
  return judge({ choice, scores, compounds: await readCompounds(), ...known })
}

function judge({ choice, scores, fitted, compounds, measured }: Judged): ScoredUpdate {
  const scoreOf = toScoreOf(choice, scores)
  const all = compounds.map((compound) => ({ ...compound, score: scoreOf(compound.standard) }))
  const count = measured.filter(({ smiles }) => scores.has(smiles)).length
  const other = fitted?.withScore?.(scoreOf, all) ?? null
  const known = { ...choice, scored: scores.size, measured: count }
  const verdict = other?.verdict ?? 'too few'
  const taus = other === null ? { tau: null, prediction_tau: null } : compareOrder(all, measured)
  const judgement: ScoreJudgement = {
    ...known,
    ...taus,
    verdict,
    summary: summarise({ ...known, ...taus }, other, fitted !== null && fitted.withScore !== null),
    slope: other && {
      mean: round(other.slope.mean, 6),
      lower: round(other.slope.lower, 6),
      upper: round(other.slope.upper, 6),
    },
    weight: other && round(other.weight, 6),
  }
  return { judgement, other, scores }
}

type Taus = Pick<ScoreJudgement, 'tau' | 'prediction_tau'>

/** How well the score and the prediction order the compounds with an exact value and a score. */
function compareOrder(all: Scored<Compound>[], measured: Judged['measured']): Taus {
  const exact = new Map(measured.flatMap(({ smiles, pk, bound }) => (bound ? [] : [[smiles, pk]])))
  const points = new Map(
    all.flatMap(({ standard, score, predicted }) => {
      const pk = exact.get(standard)
      return pk === undefined || score === null ? [] : [[standard, { pk, score, predicted }]]
    }),
  )
  const tauOf = (by: 'score' | 'predicted') =>
    kendallTau([...points.values()].map((one) => ({ measured: one.pk, predicted: one[by] })))
  const [tau, ofPrediction] = [tauOf('score'), tauOf('predicted')]
  return { tau: tau && round(tau, 6), prediction_tau: ofPrediction && round(ofPrediction, 6) }
}

function toScoreOf({ direction }: ScoreChoice, scores: Scores) {
  return (standard: string): number | null => {
    const score = scores.get(standard)
    if (score === undefined) return null
    return direction === 'higher' ? score : -score
  }
}

function summarise(
  { column, measured, ...taus }: { column: string; measured: number } & Taus,
  other: OtherScore | null,
  isUsed: boolean,
): string {
  if (other === null) {
    if (!isUsed && measured >= SCORE_VALUES_MIN) return 'Your values are not used on this target.'
    return measured < SCORE_VALUES_MIN
      ? `${SCORE_VALUES_MIN} measured compounds with a number in ${column} are needed; there are ${measured}.`
      : `${column} cannot be judged: all its numbers are equal, or too few of your values can be used.`
  }
  const { verdict, weight } = other
  const to = 'to size and the prediction'
  const words = {
    yes: `${column} adds ${to}`,
    no: `${column} adds nothing ${to}`,
    'cannot tell yet': `Cannot tell yet whether ${column} adds ${to}`,
  }
  const order = `tau ${orUnknown(taus.tau)} on ${measured} measured compounds, the prediction alone ${orUnknown(taus.prediction_tau)}`
  return `${words[verdict]}: ${order}; it counts for ${Math.round(100 * weight)}% of the average.`
}

function orUnknown(tau: number | null): string {
  return tau === null ? 'not known' : wordTau(tau)
}

/** Uses own values, and the column if it is useful; `others` are the compounds on which it was judged. */
export function updateWithScore(
  judged: ScoredUpdate | null,
  others: (Estimate & { standard: string })[],
  fitted: FittedValues | null,
) {
  const plain = fitted?.update(others) ?? others
  if (!judged?.other) return plain
  const { other, judgement, scores } = judged
  const scoreOf = toScoreOf(judgement, scores)
  const scored: Scored[] = others.map((one) => ({ ...one, score: scoreOf(one.standard) }))
  return other.blend(scored, plain)
}

type ScoreRequest = z.output<typeof judgeScoreCall.body>

export async function judgeScore(
  dependencies: NextDependencies,
  { userId, gone }: { userId: string; gone: AbortSignal },
  { screens, target, chain: wantedChain }: ScoreRequest,
): Promise<SeriesScore> {
  const { db, ownValues, modelVersion } = dependencies
  const wanted = { userId, screens, target, chain: wantedChain, gone }
  const { targetId, chain, estimates, readShifts } = await readScreenEstimates(dependencies, wanted)
  const of = { userId, targetId, chain, modelVersion }
  const { measured } = await ownValues.list(of)
  const { fit } = await ownValues.read(of, readShifts)
  const fitted = usedOf(fit)
  const columns = await listNumberColumns(db, userId, estimates)
  const compounds = await describe(ownValues, userId, estimates)
  gone.throwIfAborted()
  const judged = await judgeChosen(db, of, {
    estimates,
    readCompounds: () => Promise.resolve(compounds),
    measured,
    fitted: fit,
  })
  if (judged === null) return { columns, judgement: null, predictions: [] }
  const scored = compounds.filter(({ standard }) => judged.scores.has(standard))
  const plain = updateWithScore(null, scored, fitted)
  const predictions = updateWithScore(judged, scored, fitted).map(
    ({ predicted, halfWidth }, place) => ({
      compound: scored[place]?.name ?? '',
      smiles: scored[place]?.smiles ?? '',
      score: judged.scores.get(scored[place]?.standard ?? '') ?? 0,
      predicted_kd_with_own: round(plain[place]?.predicted ?? predicted, 6),
      predicted_kd: round(predicted, 6),
      lower: round(predicted - halfWidth, 6),
      upper: round(predicted + halfWidth, 6),
    }),
  )
  const strongestFirst = predictions.toSorted((a, b) => b.predicted_kd - a.predicted_kd)
  return {
    columns,
    judgement: judged.judgement,
    predictions: strongestFirst.slice(0, NEXT_CANDIDATES_MAX),
  }
}

/** Columns with numbers in at least half of their filled cells. */
async function listNumberColumns(
  db: Database,
  userId: string,
  estimates: ScreenEstimate[],
): Promise<string[]> {
  const cells = await readCells(db, userId, estimates)
  const counts = new Map<string, { filled: number; numbers: number }>()
  for (const row of cells.values()) {
    for (const [column, cell] of Object.entries(row)) {
      if (cell.trim() === '') continue
      const { filled, numbers } = counts.get(column) ?? { filled: 0, numbers: 0 }
      const isNumber = toNumber(cell) !== null
      counts.set(column, { filled: filled + 1, numbers: numbers + Number(isNumber) })
    }
  }
  const usable = [...counts].filter(([, { filled, numbers }]) => 2 * numbers >= filled)
  return usable.map(([column]) => column)
}

/** Skips molecules that cannot be compared. */
export async function describe(
  ownValues: Pick<OwnValues, 'readCompounds'>,
  userId: string,
  estimates: ScreenEstimate[],
): Promise<Compound[]> {
  const standard = estimates.map((estimate) => estimate.standard)
  const compounds = await ownValues.readCompounds(userId, standard)
  return estimates.flatMap((estimate, at) => {
    const compound = compounds[at] ?? null
    return compound === null ? [] : [{ ...estimate, ...compound }]
  })
}
