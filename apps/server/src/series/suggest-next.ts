/** Which untested compounds to make or measure next, five at a time, each with the measured values behind it. */
import {
  NEXT_CANDIDATES_MAX,
  NEXT_SUGGESTIONS,
  NEXT_VALUES_MIN,
  type NextCompounds,
  type Suggestion,
  type suggestNext as suggestNextCall,
} from '@pkdex/contract'
import type { z } from 'zod'
import type { Estimate } from '#server/inference/service.ts'
import type { FittedValues, OwnCompound, OwnValues } from '#server/measurements/service.ts'
import { readScreenEstimates, type ScreenEstimate } from '#server/predictions/service.ts'
import { readLists } from './listed.ts'
import { type Ranked, rankUntested } from './rank-untested.ts'
import { findReasons, writeReason, writeScore } from './reasons.ts'
import { describe, judgeChosen, type NextDependencies, updateWithScore, usedOf } from './score.ts'
import { round } from '#server/platform/round.ts'

type NextRequest = z.output<typeof suggestNextCall.body>
type Candidate = ScreenEstimate & Estimate
type Fitted = FittedValues | null

export async function suggestNext(
  dependencies: NextDependencies,
  { userId, gone }: { userId: string; gone: AbortSignal },
  request: NextRequest,
): Promise<NextCompounds> {
  const { ownValues, modelVersion } = dependencies
  const { screens, target, chain: wantedChain, exclude, page } = request
  const wanted = { userId, screens, target, chain: wantedChain, gone }
  const { targetId, chain, estimates, readShifts } = await readScreenEstimates(dependencies, wanted)
  const of = { userId, targetId, chain, modelVersion }
  const { measured, waiting } = await ownValues.list(of)
  const best = strongest(measured)
  const { fit } = await ownValues.read(of, readShifts)
  const fitted = usedOf(fit)
  const { excluded } = await readLists(dependencies.db, targetId)
  const tested = new Set([...measured.map(({ smiles }) => smiles), ...exclude, ...excluded])
  const untested = estimates.filter(
    ({ smiles, standard }) => !tested.has(smiles) && !tested.has(standard),
  )
  const counts = {
    measured: measured.length,
    waiting,
    best: best && { compound: best.compound, smiles: best.smiles, pk: best.pk },
    goal: request.goal ?? best?.pk ?? null,
    uses_own_values: fitted !== null,
    untested: untested.length,
  }
  if (counts.goal === null || counts.measured < NEXT_VALUES_MIN) {
    return { ...counts, other_score: null, candidates: 0, suggestions: [] }
  }
  const candidates = oncePerFlat(await readCandidates(ownValues, userId, untested))
  gone.throwIfAborted()
  const readCompounds = () => describe(ownValues, userId, estimates)
  const known = { estimates, readCompounds, measured, fitted: fit }
  const score = await judgeChosen(dependencies.db, of, known)
  const update = () => updateWithScore(score, candidates, fitted)
  const ranked = rankUntested(candidates, update, counts.goal)
  const first = (page - 1) * NEXT_SUGGESTIONS
  const shown = ranked.slice(first, first + NEXT_SUGGESTIONS)
  // The page shows the chance, so it decides the order on it.
  const byChance = shown.toSorted((a, b) => b.chance - a.chance || b.predicted - a.predicted)
  const suggestions: Suggestion[] = []
  const about = { measured, fitted, column: score?.judgement.column }
  for (const one of byChance) {
    gone.throwIfAborted()
    const candidate = candidates[one.place]
    if (candidate !== undefined) suggestions.push(await toSuggestion(candidate, one, about))
  }
  const other_score = score?.judgement ?? null
  return { ...counts, other_score, candidates: candidates.length, suggestions }
}

/** An upper bound cannot be the best value. */
function strongest(measured: OwnCompound[]): OwnCompound | null {
  const sure = measured.filter(({ bound }) => bound !== 'upper')
  return sure.toSorted((one, other) => other.pk - one.pk)[0] ?? null
}

/** The candidates with the highest predictions, without molecules that cannot be compared. */
function readCandidates(
  ownValues: OwnValues,
  userId: string,
  untested: ScreenEstimate[],
): Promise<Candidate[]> {
  const some = untested
    .toSorted((one, other) => other.predicted - one.predicted)
    .slice(0, NEXT_CANDIDATES_MAX)
  return describe(ownValues, userId, some)
}

/** The model ignores stereochemistry, so stereoisomers are one suggestion: the one with the highest prediction. */
function oncePerFlat(candidates: Candidate[]): Candidate[] {
  const found = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const key = `${candidate.bits.join(' ')} ${Array.from(candidate.descriptors).join(' ')}`
    if (!found.has(key)) found.set(key, candidate)
  }
  return [...found.values()]
}

async function toSuggestion(
  candidate: Candidate,
  { predicted, halfWidth, chance }: Ranked,
  {
    measured,
    fitted,
    column,
  }: { measured: OwnCompound[]; fitted: Fitted; column: string | undefined },
): Promise<Suggestion> {
  const rests_on = await findReasons(candidate, { measured, fitted })
  const withOwn = fitted?.update([candidate])[0]?.predicted ?? candidate.predicted
  const numbers = { plain: candidate.predicted, predicted: withOwn, isUsed: fitted !== null }
  const { isAdjusted } = candidate
  return {
    compound: candidate.name,
    smiles: candidate.smiles,
    predicted_kd: round(predicted, 6),
    lower: round(predicted - halfWidth, 6),
    upper: round(predicted + halfWidth, 6),
    predicted_kd_without_own: round(candidate.predicted, 6),
    chance,
    reason: `${writeReason({ ...numbers, isAdjusted }, rests_on)}${writeScore(column, numbers.predicted, predicted)}`,
    rests_on,
  }
}
